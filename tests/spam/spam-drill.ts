import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { type BuilderCaller, VISITOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { createTestWorld } from "../support.ts";

/*
 * The spam wave of `bun run drill spam` with default settings and open joining, on a fake clock. Accounts sign
 * up and post through the operations that every route calls. Addresses, brakes and limits apply.
 */

/** Size of the wave. The wave has 100 spammers and 500 honest newcomers, 30 of them at one address. */
export interface WaveSize {
  spammers: number;
  newcomers: number;
  sharedAddress: number;
}

export type SpamKind = "links" | "plain" | "slow";

/** Figures of one kind of spam before a moderator acts. */
export interface SpamFigures {
  sent: number;
  /** Posts that the program refused. */
  refused: number;
  /** Posts that wait for approval. */
  held: number;
  /** Posts that visitors could read at once. */
  seen: number;
}

export interface WaveReport {
  spam: Record<SpamKind, SpamFigures>;
  /** Sign-ups that the program refused. */
  spammersRefused: number;
  newcomersRefused: number;
  honest: SpamFigures;
}

const DAY_POSTS = 5;
/** Days after the sign-up on which slow spammers post: after the newcomer period of three days. */
const SLOW_DAYS = [4, 5, 6, 7, 8];

/** Of 100 honest first posts, 12 have a link to a well-known host and 3 link the author's own site. */
const KNOWN_LINKS = 12;
const OWN_LINKS = 3;

const OPENINGS = [
  "Hello, I build",
  "This week I shipped",
  "Does anyone here use",
  "I learned a lot about",
  "My team moves to",
];
const TOPICS = [
  "a compiler",
  "postgres",
  "a bird feeder with a camera",
  "tests for old code",
  "a synth",
  "our bakery's site",
  "rust",
  "maps",
];
const CLOSINGS = [
  "and would like feedback.",
  "after two years of PHP.",
  "so ask me anything.",
  "for a small school.",
  "on weekends.",
];

/** Runs the wave up to the moment when a moderator sees it. */
export async function spamWave(size: WaveSize): Promise<WaveReport> {
  using world = createTestWorld({ policy: { signup: "open" } });
  const { core, clock } = world;
  const fresh = (): SpamFigures => ({ sent: 0, refused: 0, held: 0, seen: 0 });
  const report: WaveReport = {
    spam: { links: fresh(), plain: fresh(), slow: fresh() },
    spammersRefused: 0,
    newcomersRefused: 0,
    honest: fresh(),
  };
  // Members who are no newcomers have linked a well-known host.
  for (let i = 0; i < 5; i++) {
    const member = await join(core, `member${i}`, addressOf(50_000 + i));
    if (!member) throw new Error("an established member was refused");
    clock.pass(30 * DAY);
    core.db.transact(() => createPost(core, member, { text: `Release ${i}: https://github.com/guild/tool` }));
  }
  const random = seeded(28);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const honest = async (i: number): Promise<void> => {
    const address = i < size.sharedAddress ? "192.0.2.1" : addressOf(20_000 + i);
    const caller = await join(core, `newcomer${i}`, address);
    if (!caller) return void report.newcomersRefused++;
    const link =
      i % 100 < KNOWN_LINKS
        ? ` See https://github.com/newcomer${i}/project`
        : i % 100 < KNOWN_LINKS + OWN_LINKS
          ? ` See https://newcomer${i}.example/`
          : "";
    post(core, caller, `${pick(OPENINGS)} ${pick(TOPICS)} ${pick(CLOSINGS)} (${i})${link}`, report.honest);
  };
  const slow: BuilderCaller[] = [];
  const each = Math.ceil(size.newcomers / size.spammers);
  let newcomer = 0;
  for (let i = 0; i < size.spammers; i++) {
    // Honest people join at the same time, over eleven hours.
    for (let n = 0; n < each && newcomer < size.newcomers; n++) {
      clock.pass(Math.floor((11 * HOUR) / size.newcomers));
      await honest(newcomer++);
    }
    clock.pass(MINUTE);
    const kind: SpamKind = i % 5 < 3 ? "links" : i % 5 === 3 ? "plain" : "slow";
    const caller = await join(core, `spammer${i}`, addressOf(i));
    if (!caller) report.spammersRefused++;
    else if (kind === "slow") slow.push(caller);
    else
      for (let n = 0; n < DAY_POSTS; n++) {
        const text = `Cheap watches, offer ${i}.${n}, write to me on any messenger`;
        const links = ` https://shop${i}.example/a https://deal${i}.example/b`;
        post(core, caller, kind === "links" ? text + links : text, report.spam[kind]);
        clock.pass(5000);
      }
  }
  clock.pass((SLOW_DAYS[0] ?? 0) * DAY);
  for (const day of SLOW_DAYS) {
    for (const [i, caller] of slow.entries())
      post(core, caller, `Great thread, day ${day}! I use https://slow${i}.example/`, report.spam.slow);
    clock.pass(DAY);
  }
  return report;
}

async function join(core: Core, username: string, address: string): Promise<BuilderCaller | undefined> {
  try {
    const form = { username, name: username, password: "correct horse battery" };
    const { secret } = await signUp(core, { address, agent: "Firefox" }, form);
    return sessionOf(core, secret, address)?.caller;
  } catch (thrown) {
    if (!(thrown instanceof CoreError)) throw thrown;
    return undefined;
  }
}

/** Sends a post and counts what became of it. */
function post(core: Core, caller: BuilderCaller, text: string, figures: SpamFigures): void {
  figures.sent++;
  try {
    const { id } = core.db.transact(() => createPost(core, caller, { text }));
    if (isPublic(core, id)) figures.seen++;
    else figures.held++;
  } catch (thrown) {
    if (!(thrown instanceof CoreError)) throw thrown;
    figures.refused++;
  }
}

function isPublic(core: Core, id: string): boolean {
  try {
    return getPost(core, VISITOR, id).id === id;
  } catch {
    return false;
  }
}

/** Returns an address in a network of its own. */
function addressOf(n: number): string {
  return `${11 + Math.floor(n / 65_536)}.${Math.floor(n / 256) % 256}.${n % 256}.9`;
}

/** Mulberry32, so that every run has the same texts. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
