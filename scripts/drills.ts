import { statSync } from "node:fs";
import { lighthouse } from "../bench/lighthouse/audit.ts";
import { auditSite } from "../bench/lighthouse/pages.ts";
import { type PairsOptions, readOwnWrites } from "../tests/cluster/pairs.ts";
import { engineKills } from "../tests/cluster/engine-drill.ts";
import { ENGINE_FAULTS } from "../tests/cluster/engine-faults.ts";
import { costAtTheLeader, lostWithTheLeader, staleness } from "../tests/cluster/staleness.ts";
import { acme, findPebble } from "../tests/program/acme-drill.ts";
import { killBackups } from "../tests/program/backup-kills.ts";
import { type Killed, killMigrations, killRotations } from "../tests/program/change-kills.ts";
import { crashDrill } from "../tests/program/crash.ts";
import { debDrill } from "../tests/program/deb-drill.ts";
import { eventDrill } from "../tests/program/event-drill.ts";
import { fail2banDrill } from "../tests/program/fail2ban-drill.ts";
import { killImports } from "../tests/program/forem-kills.ts";
import { fullDiskDrill } from "../tests/program/full-disk.ts";
import { type Fault, tryFault } from "../tests/program/faults/fault.ts";
import { FAULTS } from "../tests/program/faults/faults.ts";
import { hangingDrill, type HangingOptions } from "../tests/program/hanging.ts";
import type { Absent } from "../tests/program/bookworm.ts";
import { imageDrill } from "../tests/program/image-drill.ts";
import { litestreamDrill, type LitestreamOptions } from "../tests/program/litestream-drill.ts";
import { metricsDrill } from "../tests/program/metrics-drill.ts";
import { killMoves } from "../tests/program/moving-kills.ts";
import { promoteDrill } from "../tests/cluster/promote-drill.ts";
import { standbyDrill } from "../tests/cluster/standby-drill.ts";
import { channelsDrill, type ReachOptions } from "../tests/program/channels-drill.ts";
import { killRestores } from "../tests/program/restore-kills.ts";
import { fromSource } from "../tests/program/programs.ts";
import { s3Drill } from "../tests/program/s3-drill.ts";
import { spamWave, WAVE_KINDS, type WaveSize } from "../tests/spam/spam-drill.ts";
import { checkAllVariants, checkOneVariant } from "../tests/web/page-variants.ts";
import { findProxy, PROXIES, throughProxy } from "../tests/program/proxies-drill.ts";

export interface Drill {
  says: string;
  /**
   * Runs the whole drill. `figures` are the numbers after its name on the command line. Returns whether the
   * drill passed, or why it cannot run here.
   */
  full(figures: readonly number[]): Promise<boolean | Absent>;
  /** Runs the drill within a minute on two cores. */
  short?(): Promise<boolean | Absent>;
  /** Whether the drill needs programs that this machine may not have; see `--foreign`. */
  isForeign?: true;
}

/** Whether a drill failed. A drill that could not run fails only if it was named. */
export function hasFailed(report: boolean | Absent | undefined, isNamed: boolean): boolean {
  return typeof report === "object" ? isNamed : report !== true;
}

/** Each drill has a small version in the test suite. Both use code in tests/. */
export const DRILLS: Readonly<Record<string, Drill>> = {
  events: {
    says: "100,000 events by eight writers on a RAM disk, read by every recipe there is: none lost, none twice",
    full: () => events(100_000, 8),
    short: () => events(5000, 5),
  },
  hanging: {
    says: "a thousand endpoints that hang, fifty names that nobody answers for, and ten that are well (as root, on Linux)",
    full: () => hanging({ hanging: 1000, owners: 25, silent: 50, healthy: 10, events: 40, everyMs: 500 }),
    short: () => hanging({ hanging: 400, owners: 24, healthy: 10, events: 20, everyMs: 300 }),
  },
  reach: {
    says: "50 members whose pushes and mails arrive, beside 20 with ten failing browsers each: push services fail, the mail server dies, and comes back",
    full: () => reaching({ healthy: 50, failing: 20, rounds: 5, everyMs: 3000 }),
    short: () => reaching({ healthy: 20, failing: 10, rounds: 4, everyMs: 1000 }),
  },
  spam: {
    says: "100 spammers from 100 networks beside 500 honest newcomers: what members see of each kind of spam, and what a moderator does",
    full: () => spam({ spammers: 100, newcomers: 500, sharedAddress: 30 }),
    short: () => spam({ spammers: 40, newcomers: 200, sharedAddress: 30 }),
  },
  crash: {
    says: "[kills] [posts]: killed 100 times under load, each time after so many posts: none lost, none doubled",
    full: ([kills = 100, posts = 0]) => crashes(kills, posts),
    short: () => crashes(12, 20),
  },
  "backup-kills": {
    says: "[kills]: `guildhall backup` killed 20 times all over its work: what has the name of a backup is whole",
    full: ([kills = 20]) => backupKills(kills, 20_000),
    short: () => backupKills(8, 2000),
  },
  "forem-kills": {
    says: "[kills]: `guildhall import --forem` killed 20 times all over its work: nothing half, and the next run brings the rest",
    full: ([kills = 20]) => foremKills(kills, 1000),
    short: () => foremKills(8, 300),
  },
  "moving-kills": {
    says: "[kills]: `guildhall import` killed 20 times all over its work: the folder has all of the community, or none",
    full: ([kills = 20]) => movingKills(kills, 5000),
    short: () => movingKills(8, 1000),
  },
  "migrate-kills": {
    says: "[kills]: `guildhall migrate` started 40 times and killed all over its work: the old database or the new one, whole",
    full: ([kills = 40]) => changeKills(kills, killMigrations),
    short: () => changeKills(8, killMigrations),
  },
  "key-kills": {
    says: "[kills]: `guildhall key rotate` killed 20 times all over its work: everything opens, and the next run ends it",
    full: ([kills = 20]) => changeKills(kills, (...rest) => killRotations(...rest, 20_000)),
    short: () => changeKills(8, (...rest) => killRotations(...rest, 3000)),
  },
  standby: {
    says: "[rounds] [ms of the engine]: the leader killed 100 times under four writers, or stopped, the other machine promoted by a script, the old one woken up: nothing twice, nothing written by an old leader, and lost only what the engine had not brought",
    full: ([rounds = 100, engineMs = 0]) => standby(rounds, engineMs),
    short: () => standby(3, 0),
  },
  promote: {
    says: "[rounds]: two machines with Litestream by deploy/, the lead changed 20 times under writers, each longer than level 0 of the replica is kept, promote and demote killed at each step: a second lead loses no more than a first",
    full: ([rounds = 20]) => promotions(rounds, true),
    short: () => promotions(4, false),
    isForeign: true,
  },
  "restore-kills": {
    says: "[kills]: `guildhall restore --replace` killed 20 times all over its work: the old community or the new one, whole",
    full: ([kills = 20]) => restoreKills(kills, 20_000),
    short: () => restoreKills(8, 2000),
  },
  acme: {
    says: "certificates of a real authority (Pebble, by Go): a first one, three renewals under an open stream, and one while it is away",
    full: () => certificates({ changes: 3, away: true }),
    short: () => certificates({ changes: 1, away: false }),
    isForeign: true,
  },
  proxies: {
    says: "Caddy and nginx with the files of deploy/: addresses, bodies, ids, streams, and three minutes of silence",
    full: () => proxies(true),
    short: () => proxies(false),
    isForeign: true,
  },
  litestream: {
    says: "Litestream by deploy/litestream.yml beside a community that is written to, lost with it three times: what a restore lacks, at the end and at a moment",
    full: () => litestream({ rounds: 3, seconds: 20, writers: 8, pauseMs: 5, mayBuild: true }),
    short: () => litestream({ rounds: 1, seconds: 8, writers: 2, pauseMs: 20, mayBuild: false }),
    isForeign: true,
  },
  engine: {
    says: "[kills]: the engine of a follower (Litestream, by deploy/follow.sh) killed 20 times under writers, over a folder and over S3: no read is torn or goes backwards, and every post is there",
    full: ([kills = 20]) => engine(kills, true),
    short: () => engine(6, false),
    isForeign: true,
  },
  "engine-faults": {
    says: "what goes wrong for a follower's engine: a file of the replica is gone, a leader is restored, S3 ends in the middle of an answer",
    full: () => engineFaults(true),
    short: () => engineFaults(false),
    isForeign: true,
  },
  pairs: {
    says: "[pairs]: 10,000 writes at one of three nodes, each read at another one: with the version that its client saw none is stale; by Litestream, and by a double of it where that is not here",
    full: ([pairs = 10_000]) => ownWrites(pairs, "litestream"),
    short: () => ownWrites(600, { everyMs: 50 }),
  },
  staleness: {
    says: "how old a follower's file is at 2, 100 and 300 posts a second, over a folder and over S3, what its engine costs the leader, and what is lost with the leader's machine",
    full: () => stale(true),
    isForeign: true,
  },
  fail2ban: {
    says: "deploy/fail2ban with a real fail2ban on the log of the program: who fails is found and shut out, and nobody by what others write",
    full: async () => receivedBy(await fail2banDrill(fromSource)),
    isForeign: true,
  },
  metrics: {
    says: "deploy/ with a real Prometheus: the page, the rules and their cases by promtool, each panel of the dashboard answered",
    full: () => metrics(30),
    short: () => metrics(15),
    isForeign: true,
  },
  lighthouse: {
    says: "Lighthouse, once for each page of `bun run bench lighthouse`: the aims of the bench, 40 kB, four requests",
    full: judged,
    isForeign: true,
  },
  looks: {
    says: "every page for each who sees it, in three languages, by day, by night and in colours of the reader's own, on a phone and a desk",
    full: () => reportVariants(checkAllVariants(progress)),
    short: () => reportVariants(checkOneVariant()),
  },
  journeys: {
    says: "every page of the journeys by keyboard, and of apps, consent and administration, audited by axe-core",
    full: () => tests(...JOURNEYS),
    short: () => tests(...JOURNEYS),
  },
  forms: {
    says: "every form with every forgery, every page with and without hostile words, every right under both settings",
    full: () => tests(...PAGE_WALKS),
    short: () => tests(...PAGE_WALKS),
  },
  s3: {
    says: "backups to a real server of S3 (versitygw): by hand, by schedule with retention, refused",
    full: () => s3(100_000, true),
    short: () => s3(1000, false),
  },
  faults: {
    says: "what goes wrong for an operator, made, and told by doctor, /readyz, a metric, the log and a page as docs/operating.md says",
    full: () => faults(FAULTS),
    short: () => faults(FAULTS.filter(({ isLong }) => !isLong).slice(0, 8)),
  },
  rotations: {
    says: "killed 40 times in the middle of rotations: one refresh token lives, and never two",
    full: () => tests("tests/oauth/kill.program.test.ts"),
    short: () => tests("tests/oauth/kill.program.test.ts"),
  },
  readers: {
    says: "every way to read an event, with every token there is",
    full: () => tests("tests/spec/event-readers.slow.test.ts"),
    short: () => tests("tests/spec/event-readers.slow.test.ts"),
  },
  interleavings: {
    says: "250 histories of builders and moderators in any order: counts, scores and ledgers are what the facts make of them",
    full: () => tests("tests/spec/interleaving.slow.test.ts"),
    short: () => tests("tests/spec/interleaving.slow.test.ts"),
  },
  examples: {
    says: "many more random examples than the suite draws: walks, likes, prompts, jobs, messages, follows, streaks, XP, requests; races for tokens; refused imports; updates from each version",
    full: () => tests(...RANDOMISED),
    short: () => tests(...RANDOMISED.slice(0, 3)),
  },
  "full-disk": {
    says: "a disk that is really full: what is answered, said and kept before, meanwhile and after (as root, on Linux)",
    full: async () => receivedBy(await fullDiskDrill(fromSource)),
    short: async () => receivedBy(await fullDiskDrill(fromSource)),
  },
  clients: {
    says: "five hundred silent clients and seven that drip, with the program's own limits",
    full: () => tests("tests/http/slow-clients.slow.test.ts"),
    short: () => tests("tests/http/slow-clients.slow.test.ts"),
  },
  image: {
    says: "the image, built by its Dockerfile on a small Debian and run read-only, without root, with a volume (buildah)",
    full: async () => receivedBy(await imageDrill()),
    isForeign: true,
  },
  deb: {
    says: "the Debian package: installed in a small Debian, run as its unit says, removed; the data stays",
    full: async () => receivedBy(await debDrill()),
    isForeign: true,
  },
  programs: {
    says: "all that is tried on the binary, on the source",
    full: () => tests("tests/program/source.program.test.ts"),
  },
};

const JOURNEYS = [
  "tests/web/keyboard.browser.test.ts",
  "tests/web/journeys.browser.test.ts",
  "tests/web/member-journeys.browser.test.ts",
  "tests/web/first-screen.browser.test.ts",
  "tests/web/apps.browser.test.ts",
  "tests/web/consent.browser.test.ts",
  "tests/web/admin.browser.test.ts",
];

const PAGE_WALKS = [
  "tests/web/forms.slow.test.ts",
  "tests/web/language.slow.test.ts",
  "tests/web/markup.slow.test.ts",
  "tests/web/rights.slow.test.ts",
];

async function faults(rows: readonly Fault[]): Promise<boolean> {
  const broken: string[] = [];
  for (const [index, row] of rows.entries()) {
    progress(`${index + 1} of ${rows.length}: ${row.name}`);
    const lacks = row.lacks?.();
    const missing = lacks === undefined ? await tryFault(row) : [];
    progress();
    console.log(`${row.name}: ${lacks ?? (missing.join("; ") || "told")}`);
    if (missing.length > 0) broken.push(row.name);
  }
  return broken.length === 0;
}

async function events(count: number, writers: number): Promise<boolean> {
  const { events: written, seconds, recipes, aheadMs } = await eventDrill(count, writers);
  console.log(`${written.toLocaleString("en")} events by ${writers} writers in ${seconds.toFixed(1)} s`);
  console.log(`the log's timestamps run ahead of the clock by ${(aheadMs / 1000).toFixed(1)} s at the end`);
  console.table(recipes);
  return Object.values(recipes).every(
    ({ received, lost, twice }) => received === written && lost === 0 && twice === 0,
  );
}

async function certificates(wanted: { changes: number; away: boolean }): Promise<boolean | Absent> {
  const pebble = await findPebble();
  if (!pebble) return { absent: "there is neither Pebble here nor a Go that makes it" };
  const report = await acme(fromSource, pebble, wanted);
  console.log(report);
  return report.wrongs.length === 0 && report.received === wanted.changes;
}

async function proxies(idle: boolean): Promise<boolean | Absent> {
  const here = PROXIES.filter((name) => findProxy(name));
  if (here.length === 0) return { absent: "there is neither Caddy nor nginx here" };
  const reports = await Promise.all(here.map((name) => throughProxy(name, fromSource, idle)));
  for (const name of PROXIES) console.log(`${name}: ${here.includes(name) ? "was asked" : "is not here"}`);
  for (const wrong of reports.flat()) console.log(wrong);
  return reports.flat().length === 0;
}

async function hanging(options: HangingOptions): Promise<boolean> {
  const report = await hangingDrill(fromSource, {
    ...options,
    progress: (event) => progress(`event ${event} of ${options.events}`),
  });
  progress();
  console.log(report);
  return report.arrived === report.expected && report.repeated === 0 && report.p95Ms < 1000;
}

/** Maximum factor between the longest wait of healthy members in any phase and in the undisturbed phase. */
const REACH_FACTOR_MAX = 2;
/**
 * A wait in the undisturbed phase counts as at least this long, because shorter waits vary with the machine.
 */
const REACH_NOISE_MS = 100;

async function reaching(options: ReachOptions): Promise<boolean> {
  const report = await channelsDrill(fromSource, { ...options, progress });
  progress();
  const { phases, ...rest } = report;
  console.table(phases);
  console.log(rest);
  const undisturbed = phases.undisturbed;
  const isSoon = (wait: number, before: number): boolean =>
    wait <= REACH_FACTOR_MAX * Math.max(before, REACH_NOISE_MS);
  return (
    report.lost === 0 &&
    report.back.ordinaryBefore < 1 / 2 &&
    Object.values(phases).every(({ push }) => isSoon(push, undisturbed.push)) &&
    [phases["push fails"], phases["mail is back"]].every(
      ({ mail, urgentMail }) => isSoon(mail, undisturbed.mail) && isSoon(urgentMail, undisturbed.urgentMail),
    )
  );
}

async function crashes(kills: number, posts: number): Promise<boolean> {
  const report = await crashDrill(fromSource, kills, {
    posts,
    progress: (kill) => progress(`killed ${kill} of ${kills} times`),
  });
  progress();
  console.log(report);
  console.log(`${(100 * report.repeatedShare).toFixed(2)} % of the deliveries arrived more than once`);
  return report.acknowledged > 0 && report.wrongs.length === 0;
}

/**
 * Writes of at most this many last milliseconds may be lost. Litestream syncs once a second, and a sync takes
 * time on a busy machine.
 */
const LITESTREAM_LOSES_MS = 5000;

async function s3(posts: number, mayBuild: boolean): Promise<boolean | Absent> {
  const wrongs = await s3Drill(fromSource, posts, mayBuild);
  if ("absent" in wrongs) return wrongs;
  console.log({ wrongs });
  return wrongs.length === 0;
}

async function metrics(seconds: number): Promise<boolean | Absent> {
  const report = await metricsDrill(fromSource, seconds);
  if ("absent" in report) return report;
  console.log(report);
  return report.wrongs.length === 0;
}

async function judged(): Promise<boolean | Absent> {
  const program = await lighthouse().catch((error: Error) => error);
  if (program instanceof Error) return { absent: `Lighthouse cannot be installed: ${program.message}` };
  const { pages, missed } = await auditSite(program, 1);
  console.table(pages.map(({ scores, weakest: _, ...rest }) => ({ ...rest, ...scores })));
  for (const miss of missed) console.log(miss);
  return missed.length === 0;
}

async function reportVariants(looking: ReturnType<typeof checkOneVariant>): Promise<boolean> {
  const report = await looking;
  progress();
  for (const fault of report.faults) console.log(fault);
  console.log(`${report.variants} variants, ${report.faults.length} faults`);
  return report.variants > 0 && report.faults.length === 0;
}

async function litestream(options: LitestreamOptions): Promise<boolean | Absent> {
  const report = await litestreamDrill(fromSource, options);
  if ("absent" in report) return report;
  console.log(report);
  return (
    report.acknowledged > 0 &&
    report.wrongs.length === 0 &&
    Math.max(report.lossMs, report.momentMs) < LITESTREAM_LOSES_MS
  );
}

async function ownWrites(pairs: number, engine: PairsOptions["engine"]): Promise<boolean | Absent> {
  const report = await readOwnWrites(fromSource, { pairs, clients: 12, engine });
  if ("absent" in report) {
    console.log(`${report.absent}: by a double of it`);
    return ownWrites(pairs, { everyMs: 50 });
  }
  console.log(report);
  return (
    report.pairs === pairs && report.stale === 0 && report.staleWithout > 0 && report.wrongs.length === 0
  );
}

async function engine(kills: number, mayBuild: boolean): Promise<boolean | Absent> {
  let isKept = true;
  for (const storage of ["file", "s3"] as const) {
    const options = { storage, mayBuild, hasShortIntervals: true, kills, writers: 2, pauseMs: 10 };
    const report = await engineKills(fromSource, options);
    if ("absent" in report) return report;
    console.log(storage, report);
    isKept &&= report.killed === kills && report.versions > kills && report.wrongs.length === 0;
  }
  return isKept;
}

async function engineFaults(mayBuild: boolean): Promise<boolean | Absent> {
  let isKept = true;
  for (const [name, fault] of Object.entries(ENGINE_FAULTS)) {
    const wrongs = await fault(fromSource, mayBuild);
    if ("absent" in wrongs) return wrongs;
    console.log(`${name}: ${wrongs.join("; ") || "mended"}`);
    isKept &&= wrongs.length === 0;
  }
  return isKept;
}

async function stale(mayBuild: boolean): Promise<boolean | Absent> {
  const rows = [];
  for (const storage of ["file", "s3"] as const) {
    const report = await staleness(fromSource, {
      storage,
      rates: [2, 100, 300],
      seconds: 8,
      mayBuild,
    });
    if ("absent" in report) return report;
    rows.push(...report);
  }
  console.table(rows);
  const cost = await costAtTheLeader(fromSource, { rate: 200, seconds: 4, rounds: 5, mayBuild });
  if ("absent" in cost) return cost;
  console.table(cost);
  const losses = [];
  for (const storage of ["file", "s3", "file", "s3", "file", "s3"] as const) {
    const lost = await lostWithTheLeader(fromSource, { place: storage, rate: 200, mayBuild });
    if ("absent" in lost) return lost;
    losses.push({ place: storage, ...lost });
  }
  console.table(losses);
  return rows.every(({ p95 }) => p95 < 1000);
}

async function changeKills(
  kills: number,
  kill: (...rest: Parameters<typeof killMigrations>) => Promise<Killed>,
): Promise<boolean> {
  const report = await kill(fromSource, kills, (done) => progress(`killed ${done} of ${kills} times`));
  progress();
  console.log(report);
  return report.killed > 0 && report.wrongs.length === 0;
}

/**
 * Writes of the engine's last interval may be lost, plus this many milliseconds, because a sync can be late
 * on a busy machine.
 */
const ENGINE_LATE_MS = 500;

async function standby(rounds: number, engineMs: number): Promise<boolean> {
  const report = await standbyDrill(fromSource, {
    rounds,
    engineMs,
    writers: 4,
    stopsEvery: 5,
    progress: (round) => progress(`round ${round} of ${rounds}`),
  });
  progress();
  console.log(report);
  const isLostWithin = engineMs === 0 ? report.missing === 0 : report.lossMs <= engineMs + ENGINE_LATE_MS;
  return report.acknowledged > 0 && isLostWithin && report.wrongs.length === 0;
}

/**
 * If the leader and the engine are killed together, writes of at most this many last milliseconds may be
 * lost. The engine's interval is shorter, but varies.
 */
const LEAD_LOST_MS = 1000;

async function promotions(rounds: number, mayBuild: boolean): Promise<boolean | Absent> {
  const report = await promoteDrill(fromSource, {
    rounds,
    writers: 4,
    leadMs: 2000,
    mayBuild,
    progress: (round) => progress(`round ${round} of ${rounds}`),
  });
  progress();
  if ("absent" in report) return report;
  const { leads, ...rest } = report;
  console.table(leads);
  console.log(rest);
  return (
    report.wrongs.length === 0 &&
    leads.every(({ acknowledged, lossMs }) => acknowledged > 0 && lossMs <= LEAD_LOST_MS)
  );
}

async function restoreKills(kills: number, posts: number): Promise<boolean> {
  const report = await killRestores(fromSource, kills, posts, (kill) =>
    progress(`killed ${kill} of ${kills} times`),
  );
  progress();
  console.log(report);
  return report.killed > kills / 2 && report.wrongs.length === 0;
}

async function backupKills(kills: number, posts: number): Promise<boolean> {
  const report = await killBackups(fromSource, kills, posts, (kill) =>
    progress(`killed ${kill} of ${kills} times`),
  );
  progress();
  console.log(report);
  return report.killed > kills / 2 && report.wrongs.length === 0;
}

async function foremKills(kills: number, articles: number): Promise<boolean> {
  const report = await killImports(fromSource, kills, articles, (kill) =>
    progress(`killed ${kill} of ${kills} times`),
  );
  progress();
  console.log(report);
  return report.cut > kills / 4 && report.wrongs.length === 0;
}

function receivedBy(report: { wrongs: readonly string[] } | Absent): boolean | Absent {
  if ("absent" in report) return report;
  console.log(report);
  return report.wrongs.length === 0;
}

async function movingKills(kills: number, posts: number): Promise<boolean> {
  const report = await killMoves(fromSource, kills, posts, (kill) =>
    progress(`killed ${kill} of ${kills} times`),
  );
  progress();
  console.log(report);
  return report.killed > kills / 2 && report.wrongs.length === 0;
}

/**
 * Tests with random examples, with races, or over a whole table of cases. The suite runs them with smaller
 * figures.
 */
const RANDOMISED = [
  "tests/spec/changing-lists.slow.test.ts",
  "tests/spec/likes.slow.test.ts",
  "tests/spec/prompt-life.slow.test.ts",
  "tests/spec/job-life.slow.test.ts",
  "tests/spec/job-filters.slow.test.ts",
  "tests/spec/messages.slow.test.ts",
  "tests/spec/following.slow.test.ts",
  "tests/spec/streaks.slow.test.ts",
  "tests/spec/xp.test.ts",
  "tests/http/properties.slow.test.ts",
  "tests/oauth/codes.slow.test.ts",
  "tests/oauth/refresh.slow.test.ts",
  "tests/cli-import-refused.slow.test.ts",
  "tests/core/migrations.slow.test.ts",
];

/**
 * Runs test files with their large figures. Throws for a missing file, because Bun would run the others and
 * pass.
 */
async function tests(...files: string[]): Promise<boolean> {
  for (const file of files) statSync(file);
  const child = Bun.spawn([process.execPath, "test", ...files], {
    env: { ...process.env, GUILDHALL_DRILL: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return (await child.exited) === 0;
}

/** Shows the progress on one line of the terminal. Clears the line if there is no text. */
function progress(words?: string): void {
  if (process.stderr.isTTY) process.stderr.write(words === undefined ? "\r\x1b[K" : `\r  ${words}`);
}

/**
 * Passes if visitors see at most 1 % of the link spam, and no honest newcomer is refused. At most 5 % of the
 * honest newcomers and of their posts may be held, and no work may remain.
 */
async function spam(size: WaveSize): Promise<boolean> {
  const { kinds, spammersRefused, newcomersRefused, reports, falseReports, acts } = await spamWave(size);
  const percent = (part: number, whole: number) => `${Math.round((1000 * part) / Math.max(1, whole)) / 10} %`;
  const sum = (held: Record<string, number>) => Object.values(held).reduce((total, n) => total + n, 0);
  for (const kind of WAVE_KINDS) {
    const { sent, refused, held, heldMembers, seen, hiddenByReports, minutes, left } = kinds[kind];
    const brakes = Object.entries(held).map(([brake, n]) => `${brake} ${n}`);
    const waits = [...minutes].sort((a, b) => a - b).map(Math.round);
    console.log(
      `${kind}: ${sent} posts, ${seen} (${percent(seen, sent)}) seen, ${sum(held)} (${percent(sum(held), sent)}) of ` +
        `${heldMembers} members held (${brakes.join(", ")}), ${refused} refused`,
    );
    if (waits.length > 0)
      console.log(
        `  ${kind === "honest" ? "approved" : "hidden"} after ${waits[waits.length >> 1]} minutes ` +
          `(median), ${waits.at(-1)} (most), ${hiddenByReports} by reports, ${left} left`,
      );
  }
  console.log(`sign-ups refused: ${spammersRefused} of spammers, ${newcomersRefused} of honest newcomers`);
  console.log(
    `reports by members: ${reports} of spam, ${falseReports} mistaken; the moderator: ${JSON.stringify(acts)}`,
  );
  const eager = (await spamWave({ ...size, ownLinks: 10 })).kinds.honest;
  console.log(
    `with own links in 10 of 100 honest posts: ${sum(eager.held)} of ${eager.sent} (${percent(sum(eager.held), eager.sent)}) ` +
      `of ${eager.heldMembers} members held`,
  );
  const { links, honest } = kinds;
  const isDone = WAVE_KINDS.every((kind) => kinds[kind].left === 0);
  const isFair = sum(honest.held) <= honest.sent / 20 && honest.heldMembers <= size.newcomers / 20;
  return isDone && isFair && links.seen <= links.sent / 100 && newcomersRefused + honest.refused === 0;
}
