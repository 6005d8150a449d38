// docs/contract.md#12.31.1: `guildhall promote` and `guildhall demote`.
import { expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demote, finishDemotion } from "../../src/cluster/demotion.ts";
import { isMarkedLeading, markLeading } from "../../src/cluster/leader-mark.ts";
import { promote, type PromotionParts } from "../../src/cluster/promotion.ts";
import { commitsAhead, stepDown, positionIn, takeLead } from "../../src/core/base/db/leadership.ts";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createMember } from "../support.ts";
import { engineDouble } from "./engine-double.ts";
import { type LeadingNode, openLeaderNode } from "./leading.ts";

/** A copy of a leader's database, with functions that promote and demote it. */
function openStandby(leader: LeadingNode) {
  const data = mkdtempSync(join(tmpdir(), "guildhall-standby-"));
  const file = join(data, "guildhall.db");
  const engine = engineDouble(join(leader.folder, "guildhall.db"), file);
  engine.move();
  const messages: string[] = [];
  const parts = (more: Partial<PromotionParts> = {}): PromotionParts => ({
    data,
    file,
    asker: leader.core,
    peers: [leader.url],
    localServer: undefined,
    isForced: false,
    waitMs: 1000,
    stopEngine: async () => engine.stop(),
    aside: join(data, "before-promote-1"),
    report: (line) => void messages.push(line),
    ...more,
  });
  return {
    data,
    file,
    engine,
    said: messages,
    promote: (more?: Partial<PromotionParts>) => promote(parts(more)),
    demote: (more: { peers?: readonly string[]; isForced?: boolean } = {}) =>
      demote({ ...parts(), isForced: false, ...more, aside: join(data, "before-demote-1") }),
    [Symbol.dispose]() {
      engine.stop();
      rmSync(data, { recursive: true });
    },
  };
}

const post = ({ core }: LeadingNode, caller: ReturnType<typeof createMember>["caller"], text: string) =>
  core.db.write(() => createPost(core, caller, { text, tags: [] }));

const textsIn = (file: string): string[] => {
  const sqlite = openSqlite(file, { readonly: true });
  try {
    return sqlite.prepare("SELECT text FROM posts ORDER BY text").pluck().all() as string[];
  } finally {
    sqlite.close();
  }
};

function rootPageOf(file: string, index: string): number {
  const db = openSqlite(file, { readonly: true });
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(index) as number;
  db.close();
  return page;
}

test.concurrent(
  "a planned promotion waits for the last commits of the leader that steps down, and loses nothing",
  async () => {
    await using leader = openLeaderNode();
    const { caller } = createMember(leader.core, "ada");
    using standby = openStandby(leader);
    await post(leader, caller, "after the copy");
    standby.engine.every(10);
    const led = await standby.promote();
    expect(leader.watch.thisNode()).toMatchObject({ role: "fenced", heard: 2 });
    await expect(post(leader, caller, "too late")).rejects.toMatchObject({ code: "fenced" });
    const { commits, line } = leader.core.db.position();
    expect(led).toEqual({ line, epoch: 2, commits: commits + 1, fencedBy: null });
    expect(textsIn(standby.file)).toEqual(["after the copy"]);
    expect(standby.said).toEqual([
      expect.stringMatching(new RegExp(`^${leader.url} leads, at version 1\\.\\d+$`)),
      `${leader.url} stepped down at version 1.${commits}`,
      `this node leads in epoch 2, from version 2.${commits + 1}`,
    ]);
    // The file is in WAL mode again, and the node leads after every restart.
    expect(readFileSync(standby.file)[18]).toBe(2);
    expect(isMarkedLeading(standby.data)).toBe(true);
    standby.said.length = 0;
    await standby.promote();
    expect(standby.said.at(-1)).toBe("This node already leads, in epoch 2.");
    expect(positionIn(standby.file)).toEqual(led);
  },
);

test.concurrent(
  "refuses to lead without the leader's last commits; a forced promotion reports how many are missing",
  async () => {
    await using leader = openLeaderNode();
    const { caller } = createMember(leader.core, "ada");
    using standby = openStandby(leader);
    await post(leader, caller, "never copied");
    const before = positionIn(standby.file);
    await expect(standby.promote({ waitMs: 60 })).rejects.toThrow(
      /lacks 2 commits of .*, and they did not arrive/,
    );
    expect(standby.said.at(-1)).toStartWith(`${leader.url} has stepped down, so nobody leads`);
    expect(positionIn(standby.file)).toEqual(before);
    expect(existsSync(join(standby.data, "guildhall.leads"))).toBe(false);
    const led = await standby.promote({ waitMs: 400, isForced: true });
    expect(standby.said).toContain(`continuing without 2 commits of ${leader.url}`);
    expect(led).toMatchObject({ epoch: 3, commits: before.commits + 1 });
    expect(textsIn(standby.file)).toEqual([]);
  },
);

test.concurrent(
  "a leader that does not answer counts as gone, and its last known commits are reported as lost",
  async () => {
    await using leader = openLeaderNode();
    const { caller } = createMember(leader.core, "ada");
    using standby = openStandby(leader);
    await post(leader, caller, "lost");
    const { epoch, commits } = leader.core.db.position();
    // This witness plays a follower that has seen the leader's version.
    await using witness = openLeaderNode();
    const seen = { epoch, commits };
    const thisNode = witness.watch.thisNode.bind(witness.watch);
    witness.watch.thisNode = () => ({
      ...thisNode(),
      role: "follower",
      commits: 1,
      seen,
      line: leader.core.db.position().line,
    });
    const led = await standby.promote({ peers: ["http://127.0.0.1:9"], localServer: witness.url });
    expect(led.epoch).toBe(2);
    expect(standby.said).toEqual([
      "http://127.0.0.1:9: connection refused",
      `this node leads in epoch 2, from version 2.${led.commits}, without 1 commit that the leader was known to have`,
    ]);
  },
);

test("refuses to promote a copy that an engine still writes, or that is torn or damaged", async () => {
  await using leader = openLeaderNode();
  createMember(leader.core, "ada");
  using standby = openStandby(leader);
  const nobody = { peers: [], stopEngine: undefined, waitMs: 700 };
  const before = positionIn(standby.file);
  const holder = Bun.spawn(["sh", "-c", `exec 3<>'${standby.file}'; echo; exec cat`], {
    stdin: "pipe",
    stdout: "pipe",
  });
  await holder.stdout.getReader().read();
  if (process.platform === "linux")
    await expect(standby.promote(nobody)).rejects.toThrow(
      /still in use: \w+ \(process \d+\) has the database open for writing/,
    );
  holder.kill();
  await holder.exited;
  standby.engine.stop();

  Bun.spawnSync(["mkfifo", `${standby.file}-held`]);
  await expect(standby.promote(nobody)).rejects.toThrow("may contain half a change");
  rmSync(`${standby.file}-held`);

  const moving = setInterval(() => writeFileSync(standby.file, readFileSync(standby.file)), 50);
  await expect(standby.promote(nobody)).rejects.toThrow("Another program still changes");
  clearInterval(moving);
  expect(positionIn(standby.file)).toEqual(before);

  const bytes = readFileSync(standby.file);
  const broken = Buffer.from(bytes);
  // Damages an index page, so that the schema and the position stay readable.
  const page = rootPageOf(standby.file, "posts_by_author");
  broken.fill(0xa5, (page - 1) * 4096, page * 4096);
  writeFileSync(standby.file, broken);
  await expect(standby.promote(nobody)).rejects.toThrow("The copy is damaged");
});

test.concurrent("promotes the copy that has more commits", async () => {
  await using leader = openLeaderNode();
  const { caller } = createMember(leader.core, "ada");
  using standby = openStandby(leader);
  await using other = openLeaderNode();
  const { line } = leader.core.db.position();
  const thisNode = other.watch.thisNode.bind(other.watch);
  other.watch.thisNode = () => ({ ...thisNode(), role: "follower", line, commits: 900 });
  await post(leader, caller, "there");
  await expect(standby.promote({ peers: [other.url] })).rejects.toThrow(
    /lacks \d+ commits of .*\. Promote that node/,
  );
  expect(await standby.promote({ peers: [other.url], isForced: true })).toMatchObject({ epoch: 2 });
});

test.concurrent(
  "demotes an old leader and counts the commits that only it has, after any number of later leaders",
  async () => {
    await using old = openLeaderNode();
    const { caller } = createMember(old.core, "ada");
    using standby = openStandby(old);
    standby.engine.stop();
    await post(old, caller, "one");
    await post(old, caller, "two");
    using folder = openStandby(old);
    folder.engine.stop();
    await expect(folder.demote()).rejects.toThrow("No other node leads with a later epoch than 1");
    expect(readdirSync(folder.data)).toEqual(["guildhall.db"]);
    takeLead(standby.file, 2);
    takeLead(standby.file, 3);
    await using leader = openLeaderNode({ epoch: 3 });
    const sqlite = openSqlite(standby.file, { readonly: true });
    const takeovers = JSON.parse(
      sqlite.prepare("SELECT value FROM settings WHERE name = 'takeovers'").pluck().get() as string,
    );
    sqlite.close();
    const thisNode = leader.watch.thisNode.bind(leader.watch);
    const { line } = old.core.db.position();
    leader.watch.thisNode = () => ({ ...thisNode(), line, takeovers });
    folder.said.length = 0;
    await folder.demote({ peers: [leader.url] });
    const aside = join(folder.data, "before-demote-1");
    expect(folder.said).toEqual([
      expect.stringMatching(/^the database, at version 1\.\d+, is now in .*before-demote-1$/),
      `${leader.url} never received the last 2 commits: no other node has them`,
      `next, start the replication engine, then guildhall serve --follow ${leader.url}`,
    ]);
    expect(readdirSync(folder.data)).toEqual(["before-demote-1"]);
    expect(readdirSync(aside)).toEqual(["guildhall.db"]);
    expect(textsIn(join(aside, "guildhall.db"))).toEqual(["one", "two"]);
    expect(positionIn(join(aside, "guildhall.db"))).toMatchObject({ epoch: 1, fencedBy: 3 });
  },
);

test.concurrent(
  "of two nodes promoted at the same moment, demotes the node that did not become leader",
  async () => {
    await using old = openLeaderNode();
    using copy = openStandby(old);
    await copy.promote({ peers: [] });
    await using leader = openLeaderNode({ epoch: 2 });
    copy.said.length = 0;
    await copy.demote({ peers: [leader.url] });
    expect(copy.said.slice(1)).toEqual([
      `${leader.url} cannot tell how many of these commits it received`,
      `next, start the replication engine, then guildhall serve --follow ${leader.url}`,
    ]);
    expect(readdirSync(copy.data)).toEqual(["before-demote-1"]);
    // A copy that was never promoted is not moved aside. The leader of this copy has no later epoch, so the
    // demotion fails.
    using standby = openStandby(leader);
    standby.engine.stop();
    await expect(standby.demote({ peers: [leader.url] })).rejects.toThrow("with a later epoch than 2");
  },
);

test.concurrent(
  "counts lost commits from the takeover of the next leader; without a record the count is unknown",
  () => {
    const takeovers = [
      { epoch: 2, commits: 100 },
      { epoch: 4, commits: 250 },
    ];
    expect(commitsAhead({ epoch: 1, commits: 130 }, takeovers)).toBe(30);
    expect(commitsAhead({ epoch: 1, commits: 90 }, takeovers)).toBe(0);
    expect(commitsAhead({ epoch: 3, commits: 260 }, takeovers)).toBe(10);
    expect(commitsAhead({ epoch: 4, commits: 260 }, takeovers)).toBeUndefined();
  },
);

const STATE = ".guildhall.db-litestream";

/** Leaves the files that Litestream keeps beside a replicated database and beside a followed copy. */
function leaveLitestreamState(data: string): void {
  mkdirSync(join(data, STATE, "ltx/0"), { recursive: true });
  writeFileSync(join(data, STATE, "ltx/0/0000000000000009-0000000000000009.ltx"), "old");
  mkdirSync(join(data, "engine"), { recursive: true });
  linkSync(join(data, "guildhall.db"), join(data, "engine/guildhall.db"));
  writeFileSync(join(data, "engine/guildhall.db-txid"), "0000000000000009");
}

test.concurrent(
  "a promotion moves Litestream's state of an earlier lead aside, and the follower's engine starts over",
  async () => {
    await using leader = openLeaderNode();
    createMember(leader.core, "ada");
    using standby = openStandby(leader);
    leaveLitestreamState(standby.data);
    standby.engine.every(10);

    await standby.promote();

    const aside = join(standby.data, "before-promote-1");
    expect(existsSync(join(standby.data, STATE))).toBe(false);
    expect(readdirSync(join(aside, STATE, "ltx/0"))).toHaveLength(1);
    expect(standby.said).toContain(
      `Litestream's state from when this node last led is in ${aside}: you can delete that folder`,
    );
    expect(existsSync(join(standby.data, "engine/guildhall.db-txid"))).toBe(false);
  },
);

test.concurrent("a refused promotion leaves Litestream's state unchanged", async () => {
  await using leader = openLeaderNode();
  const { caller } = createMember(leader.core, "ada");
  using standby = openStandby(leader);
  leaveLitestreamState(standby.data);
  await post(leader, caller, "never copied");

  await expect(standby.promote({ waitMs: 60 })).rejects.toThrow(/lacks 2 commits/);

  expect(existsSync(join(standby.data, STATE))).toBe(true);
  expect(existsSync(join(standby.data, "engine/guildhall.db-txid"))).toBe(true);
});

test.concurrent(
  "a demotion moves Litestream's state away with the database, under any folder name",
  async () => {
    await using leader = openLeaderNode({ epoch: 3 });
    using old = openStandby(leader);
    old.engine.stop();
    takeLead(old.file, 2);
    leaveLitestreamState(old.data);

    await old.demote();

    const aside = join(old.data, "before-demote-1");
    expect(readdirSync(aside).sort()).toEqual([STATE, "guildhall.db"]);
    // Without its position file the engine fetches a new database. The engine never writes into the database
    // that was moved aside.
    expect(readdirSync(join(old.data, "engine"))).toEqual(["guildhall.db"]);
  },
);

test("refuses a demotion while another program has the database open to write", async () => {
  if (process.platform !== "linux") return;
  await using leader = openLeaderNode({ epoch: 3 });
  using old = openStandby(leader);
  old.engine.stop();
  takeLead(old.file, 2);
  leaveLitestreamState(old.data);
  const before = positionIn(old.file);
  const holder = Bun.spawn(["sh", "-c", `exec 3<>'${old.file}'; echo; exec cat`], {
    stdin: "pipe",
    stdout: "pipe",
  });
  await holder.stdout.getReader().read();

  await expect(old.demote()).rejects.toThrow(
    /The database is in use: .*has the database open for writing\. Stop that/,
  );

  expect(positionIn(old.file)).toEqual(before);
  expect(readdirSync(old.data)).toContain(STATE);
  expect(readdirSync(old.data)).not.toContain("before-demote-1");
  holder.kill();
  await holder.exited;
  await old.demote();
});

test.concurrent(
  "the next demotion completes one that was killed at any step, and loses nothing",
  async () => {
    await using leader = openLeaderNode({ epoch: 3 });
    type Standby = ReturnType<typeof openStandby>;
    const steps: ((old: Standby) => void)[] = [
      ({ data }) => markLeading(data, 2),
      ({ file }) => void stepDown(file, 3),
      ({ data }) => mkdirSync(join(data, "before-demote-0")),
      ({ data }) => renameSync(join(data, STATE), join(data, "before-demote-0", STATE)),
      ({ data }) => rmSync(join(data, "engine/guildhall.db-txid")),
      ({ data, file }) => renameSync(file, join(data, "before-demote-0/guildhall.db")),
    ];
    for (let killedAfter = 0; killedAfter <= steps.length; killedAfter++) {
      using old = openStandby(leader);
      old.engine.stop();
      takeLead(old.file, 2);
      leaveLitestreamState(old.data);
      steps.slice(0, killedAfter).forEach((step) => step(old));
      // Until the demotion completes, the mark keeps other writers off this file name (deploy/follow.sh).
      expect(isMarkedLeading(old.data)).toBe(killedAfter > 0);

      if (!finishDemotion(old)) await old.demote();

      expect(isMarkedLeading(old.data)).toBe(false);
      expect(readdirSync(old.data)).not.toContain("guildhall.db");
      expect(readdirSync(old.data)).not.toContain(STATE);
      const kept = ["before-demote-0", "before-demote-1"]
        .map((name) => join(old.data, name, "guildhall.db"))
        .filter(existsSync);
      expect(kept).toHaveLength(1);
      expect(positionIn(kept[0] as string)).toMatchObject({ epoch: 2, fencedBy: 3 });
    }
  },
);
