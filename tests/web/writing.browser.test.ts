import { afterAll, describe, expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { closeContexts, hasChromium, WIDTHS } from "../browser.ts";
import { callerOf } from "./sample-site.ts";

import { createAccountOf, openSite, signedInAs } from "./support.ts";
import { faultsOf } from "./keyboard.ts";
import { openTab } from "./browser-tabs.ts";

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  test("axe-core finds nothing on pages of edits, conversations and versions, and nothing overflows on phone or desktop", async () => {
    await using site = openSite();
    const { core } = site;
    await createAccountOf(site, "ada");
    const ada = callerOf(site, signedInAs(site, "ada"));
    const long = "W".repeat(90);
    const post = createPost(core, ada, { text: `# Shipped\n\n${long}`, tags: ["rust"] });
    editPost(core, ada, post.id, { text: `# Shipped\n\n${long} and ${long}`, tags: ["go"] });
    const chain = [post.id];
    for (const text of ["one", "two", "three", `four ${long}`, "five"])
      chain.push(replyTo(core, ada, chain.at(-1) ?? "", { text }).id);
    deletePost(
      core,
      ada,
      replyTo(core, ada, replyTo(core, ada, post.id, { text: "six" }).id, { text: "seven" }).id,
    );
    deletePost(core, ada, chain[1] ?? "");
    const prompt = submitPrompt(core, ada, { title: long, body: `a\n${long}`, model: "m", category: "c" }).id;
    revisePrompt(core, ada, prompt, { body: `b\n${long} ${long}`, note: "n" });
    const locations = [
      ...[`/posts/${post.id}`, `/posts/${chain[4]}`, `/posts/${post.id}/edit`, `/posts/${post.id}/history`],
      ...[`/prompts/${prompt}/compare`, `/prompts/${prompt}`, `/prompts/${prompt}/revise`],
    ];
    for (const width of [360, 1280]) {
      const { page, context } = await openTab(site, { width, as: "ada" });
      await page.emulateMedia({ colorScheme: width === 360 ? "dark" : "light" });
      // On a wide screen, checks only the pages whose layout differs from that on a phone.
      for (const location of width === 360 ? locations : locations.filter((_, i) => i === 0 || i === 4)) {
        await page.goto(core.origin + location);
        expect([location, width, await faultsOf(page)]).toEqual([location, width, []]);
        const [whole, seen] = await page.evaluate<[number, number]>(WIDTHS);
        expect([location, whole]).toEqual([location, seen]);
      }
      await context.close();
    }
  }, 120_000);
});
