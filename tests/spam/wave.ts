import { createPost } from "../../src/core/community/feed/feed.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { createMember, type TestServer, type TestWorld } from "../support.ts";

/*
 * A wave of spam that went public: 100 accounts with 500 posts and 1,000 links, beside an honest member. The
 * tests clear it on pages, by commands and by the API.
 */

export const SPAMMERS = 100;
const POSTS_EACH = 5;
const SPAM = "Cheap pills";

/** Adds an honest member with a post, and then the wave. Returns the token of the honest member. */
export function flood({ core, clock }: TestWorld): string {
  const { caller: ada, token } = createMember(core, "ada");
  createPost(core, ada, { text: "My loom is on https://loom.example" });
  for (let i = 0; i < SPAMMERS; i++) {
    const { caller } = createMember(core, `spammer-${i}`);
    core.db.prepare("UPDATE builders SET bio = ? WHERE username = ?").run(SPAM, `spammer-${i}`);
    core.db.transact(() => {
      for (let n = 0; n < POSTS_EACH; n++)
        createPost(core, caller, {
          text: `${SPAM} ${i}-${n}: https://pills.example/${i}-${n} and https://shop.pills.example/${i}-${n}`,
          tags: ["pills"],
        });
    });
    clock.pass(1000);
  }
  return token;
}

/** Does the work that a running server does after a removal or its undo. */
export function finish({ core }: TestWorld): void {
  while (continueBatches(core));
}

const PAGES = ["/", "/feed.atom", "/feed.json", "/tags/pills", "/@spammer-99", "/search?q=pills"];
const LISTS = ["/v1/feed?limit=50", "/v1/search?q=pills", "/v1/profiles/spammer-99"];
export const PLACES = [...PAGES, ...LISTS];

/** Returns the pages for visitors, and the feeds and lists for members, that show anything of the wave. */
export async function placesWith({ url }: TestServer, token: string): Promise<string[]> {
  const places: string[] = [];
  for (const path of PLACES) {
    const isPage = PAGES.includes(path);
    const headers = isPage ? { accept: "text/html" } : { authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, { headers });
    // A search marks the matches.
    if ((await answer.text()).replaceAll(/<\/?mark>/g, "").includes(SPAM)) places.push(path);
  }
  return places;
}
