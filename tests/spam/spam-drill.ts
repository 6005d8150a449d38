import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { heldAmong } from "../../src/core/community/holding/holding.ts";
import { type BuilderCaller, VISITOR } from "../../src/core/identity/access/caller.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { createSignedInMember } from "../core/people.ts";
import { createTestWorld, type FakeClock } from "../support.ts";
import { type Acts, createModerator } from "./moderator.ts";
import { honestText, knownHostSpam, linkSpam, plainSpam, seeded, slowSpam } from "./texts.ts";

/*
 * The spam wave of `bun run drill spam` with default settings and open joining, on a fake clock. Accounts
 * sign up, post and report through the operations that every route calls. Addresses, brakes and limits apply.
 * Members report what they see, and a moderator works through the cases.
 */

/** Size of the wave. The full wave has 100 spammers and 500 honest newcomers, 30 of them at one address. */
export interface WaveSize {
  spammers: number;
  newcomers: number;
  sharedAddress: number;
  /** Of 100 honest posts, how many link a site that no member has linked. */
  ownLinks?: number;
}

/** `known` is spam with links to a host that members have linked. No brake can tell it from honest links. */
export const WAVE_KINDS = ["links", "plain", "known", "slow", "honest"] as const;
export type WaveKind = (typeof WAVE_KINDS)[number];

/** Figures of one kind of post. */
export interface WaveFigures {
  sent: number;
  /** Posts that the program refused. */
  refused: number;
  /** Posts that waited for approval, by brake. */
  held: Record<string, number>;
  heldMembers: number;
  /** Posts that visitors could read before a moderator acted. */
  seen: number;
  /** Seen spam that reports hid before a moderator looked. */
  hiddenByReports: number;
  /** Minutes until each seen spam was hidden, or until each held honest post was approved. */
  minutes: number[];
  /** Spam that is still public at the end, or honest posts that still wait. */
  left: number;
}

export interface WaveReport {
  kinds: Record<WaveKind, WaveFigures>;
  /** Sign-ups that the program refused. */
  spammersRefused: number;
  newcomersRefused: number;
  /** Reports that members sent about spam, and by mistake about honest posts. */
  reports: number;
  falseReports: number;
  acts: Acts;
}

/**
 * Members of long standing, who are awake from 7 to 24 o'clock. Each reads a post within an hour of being
 * awake, and reports a quarter of the spam. Each also reports 1 of 200 honest posts.
 */
const READERS = 12;
const REPORTED = 1 / 4;
const MISTAKEN = 1 / 200;
const WAKES = 7;
/** How often the moderator looks at the cases, and the hour (UTC) at which the moderator's day begins. */
const LOOK_EVERY = 30 * MINUTE;
const DAY_BEGINS = 8;
/** Hour at which the wave begins. */
const BEGINS = 18;
const DAY_POSTS = 5;
/** Days after the sign-up on which slow spammers post: after the newcomer period of three days. */
const SLOW_DAYS = [4, 5, 6, 7, 8];
/** Of 100 honest posts, 12 link a well-known host and 3 the author's own site. None has a third link. */
const KNOWN_LINKS = 12;
const OWN_LINKS = 3;

interface Writer {
  username: string;
  address: string;
  secret: string;
}

interface WrittenPost {
  id: string;
  kind: WaveKind;
  at: number;
}

/** Runs the wave and the work of the moderator, over ten days. */
export async function spamWave(size: WaveSize): Promise<WaveReport> {
  using world = createTestWorld({ policy: { signup: "open" } });
  const { core, clock } = world;
  const random = seeded(28);
  const readers = await makeReaders(core, clock);
  const moderator = createModerator(
    core,
    (await createSignedInMember(core, "mod", { role: "moderator" })).caller,
  );
  const figures = (): WaveFigures => ({
    ...{ sent: 0, refused: 0, held: {}, heldMembers: 0, seen: 0, hiddenByReports: 0, minutes: [], left: 0 },
  });
  const wave: WaveReport = {
    kinds: { links: figures(), plain: figures(), known: figures(), slow: figures(), honest: figures() },
    ...{ spammersRefused: 0, newcomersRefused: 0, reports: 0, falseReports: 0, acts: moderator.acts },
  };
  // The wave begins in the evening, so that half of it comes while the moderator and the members sleep.
  clock.pass(BEGINS * HOUR - (clock.now() % DAY));
  const begin = clock.now();
  const agenda = createAgenda(clock);
  /** Spam that visitors can read, and honest posts that wait. */
  const pending = new Set<WrittenPost>();
  const heldWriters = new Set<string>();

  /** Notes the spam that was hidden, and the honest posts that were approved. */
  const settle = (): void => {
    for (const post of pending)
      if (isPublic(core, post.id) === (post.kind === "honest")) {
        if (heldAmong(core, [post.id]).get(post.id)?.brake === "reports")
          wave.kinds[post.kind].hiddenByReports++;
        wave.kinds[post.kind].minutes.push((clock.now() - post.at) / MINUTE);
        pending.delete(post);
      }
  };
  const send = (writer: Writer, kind: WaveKind, text: string): void => {
    const figure = wave.kinds[kind];
    const caller = sessionOf(core, writer.secret, writer.address)?.caller;
    // A removed spammer cannot post.
    if (!caller) return;
    figure.sent++;
    try {
      const { id } = core.db.transact(() => createPost(core, caller, { text }));
      const post = { id, kind, at: clock.now() };
      const held = heldAmong(core, [id]).get(id);
      if (held) {
        figure.held[held.brake] = (figure.held[held.brake] ?? 0) + 1;
        if (!heldWriters.has(writer.username)) figure.heldMembers++;
        heldWriters.add(writer.username);
      } else figure.seen++;
      if ((held !== undefined) === (kind === "honest")) pending.add(post);
      if (!held) scheduleReports(id, kind);
    } catch (thrown) {
      if (!(thrown instanceof CoreError)) throw thrown;
      figure.refused++;
    }
  };
  const scheduleReports = (id: string, kind: WaveKind): void => {
    const isHonest = kind === "honest";
    const hour = new Date(clock.now()).getUTCHours();
    const awake = hour < WAKES ? clock.now() - (clock.now() % DAY) + WAKES * HOUR : clock.now();
    for (const reader of readers)
      if (random() < (isHonest ? MISTAKEN : REPORTED))
        agenda.add(awake + (2 + random() * 58) * MINUTE, () => {
          // Another report or the moderator was faster.
          if (!isPublic(core, id)) return;
          report(core, reader, { kind: "post", id }, { reason: "Advertising" });
          if (isHonest) wave.falseReports++;
          else wave.reports++;
          settle();
        });
  };

  let honestPosts = 0;
  const beHonest = async (i: number): Promise<void> => {
    const address = i < size.sharedAddress ? "192.0.2.1" : addressOf(20_000 + i);
    const writer = await join(core, `newcomer${i}`, address);
    if (!writer) return void wave.newcomersRefused++;
    const say = (): void => {
      const n = honestPosts++ % 100;
      const own = n < KNOWN_LINKS + (size.ownLinks ?? OWN_LINKS) ? ` See https://newcomer${i}.example/` : "";
      const link = n < KNOWN_LINKS ? ` See https://github.com/newcomer${i}/project` : own;
      send(writer, "honest", `${honestText(random)}${link}`);
    };
    say();
    // A third of the people write again on the same day, and a tenth twice.
    for (let more = random() < 1 / 3 ? (random() < 0.3 ? 2 : 1) : 0; more > 0; more--)
      agenda.add(clock.now() + (1 + random() * 20) * HOUR, say);
  };
  const textOf = {
    links: (i: number) => linkSpam(random, i),
    plain: (i: number, n: number) => plainSpam(random, i, n),
    known: (i: number, n: number) => knownHostSpam(random, i, n),
  };
  const beSpammer = async (i: number): Promise<void> => {
    const kind = i % 20 === 0 ? "known" : i % 5 < 3 ? "links" : i % 5 === 3 ? "plain" : "slow";
    const writer = await join(core, `spammer${i}`, addressOf(i));
    if (!writer) return void wave.spammersRefused++;
    const joined = clock.now();
    if (kind === "slow")
      for (const day of SLOW_DAYS)
        agenda.add(joined + day * DAY, () => send(writer, kind, slowSpam(random, i)));
    else
      for (let n = 0; n < DAY_POSTS; n++)
        agenda.add(joined + n * 5000, () => send(writer, kind, textOf[kind](i, n)));
  };
  for (let i = 0; i < size.newcomers; i++)
    agenda.add(begin + ((i + 1) / size.newcomers) * 11 * HOUR, () => beHonest(i));
  for (let i = 0; i < size.spammers; i++)
    agenda.add(begin + ((i + 1) / size.spammers) * 10 * HOUR, () => beSpammer(i));
  for (let at = begin; at < begin + 10 * DAY; at += LOOK_EVERY)
    if (new Date(at).getUTCHours() >= DAY_BEGINS)
      agenda.add(at, async () => {
        await moderator.look();
        settle();
      });
  await agenda.run();
  for (const { kind } of pending) wave.kinds[kind].left++;
  return wave;
}

/** Members who are no newcomers. Some have linked a well-known host. */
async function makeReaders(core: Core, clock: FakeClock): Promise<BuilderCaller[]> {
  const joined: Writer[] = [];
  for (let i = 0; i < READERS; i++) {
    const member = await join(core, `member${i}`, addressOf(50_000 + i));
    if (!member) throw new Error("an established member was refused");
    joined.push(member);
  }
  clock.pass(10 * DAY);
  return joined.map(({ secret, address }, i) => {
    const caller = sessionOf(core, secret, address)?.caller;
    if (!caller) throw new Error("the session of an established member has ended");
    if (i < 5) createPost(core, caller, { text: `Release ${i}: https://github.com/guild/tool` });
    return caller;
  });
}

/** Runs work in the order of its time, and moves the clock to it. */
function createAgenda(clock: FakeClock) {
  const entries: { at: number; work: () => void | Promise<void> }[] = [];
  return {
    add(at: number, work: () => void | Promise<void>): void {
      entries.splice(entries.findLastIndex((other) => other.at <= at) + 1, 0, { at, work });
    },
    async run(): Promise<void> {
      for (let next = entries.shift(); next; next = entries.shift()) {
        clock.pass(Math.max(0, Math.round(next.at - clock.now())));
        await next.work();
      }
    },
  };
}

async function join(core: Core, username: string, address: string): Promise<Writer | undefined> {
  try {
    const form = { username, name: username, password: "correct horse battery" };
    const { secret } = await signUp(core, { address, agent: "Firefox" }, form);
    return { username, address, secret };
  } catch (thrown) {
    if (!(thrown instanceof CoreError)) throw thrown;
    return undefined;
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
