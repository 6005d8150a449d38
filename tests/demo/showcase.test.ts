import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillShowcase } from "../../src/demo/demo.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { firstLineOf } from "../../src/core/base/title.ts";
import { checkCounts, checkEventLog } from "../../src/core/services/checkup/derived.ts";
import { checkXp } from "../../src/core/services/checkup/xp.ts";
import { checkReferences } from "../../src/core/services/checkup/integrity.ts";
import { createEncoder } from "../../src/media/encoder.ts";
import { createPictureStorage } from "../../src/media/picture-storage.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { getCommunity } from "../../src/core/services/community-settings/community.ts";
import { listStatistics } from "../../src/core/services/history/statistics.ts";
import { createTestWorld } from "../support.ts";

test("the demo's statistics, ledger and counts agree, and its member has something to read", async () => {
  using world = createTestWorld();
  const { core } = world;
  const folder = mkdtempSync(join(tmpdir(), "guildhall-demo-"));
  try {
    const storage = createPictureStorage(folder, createEncoder());
    const size = await fillShowcase(core, storage, () => {});
    const now = core.clock.now();
    const rows = <Row>(sql: string, ...values: (string | number)[]): Row[] =>
      core.db.prepare<Row>(sql).all(...values);

    // `guildhall demo` prints these numbers.
    for (const [table, count] of Object.entries(size)) {
      const without = table === "posts" ? "WHERE parent_id IS NULL" : "";
      expect([table, rows(`SELECT count(*) AS n FROM ${table} ${without}`)]).toEqual([table, [{ n: count }]]);
    }

    // The checkup compares likes, ratings, replies, followers, unread messages, XP and streaks with rows.
    const context = { db: core.db, clock: core.clock, pause: async () => {}, progress() {} };
    expect([
      ...checkCounts(context),
      ...checkXp(context),
      ...checkEventLog(context),
      ...[checkReferences(context, false)].flat(),
    ]).toMatchObject([
      { says: "Counts, scores, and tags match the data." },
      { check: "xp", severity: "ok" },
      { check: "event_log", severity: "ok" },
      { check: "foreign_keys", severity: "ok" },
    ]);
    expect(
      rows(
        `SELECT id FROM likes JOIN posts ON id = post_id WHERE liked_at < created_at OR liked_at > ?`,
        now,
      ),
    ).toEqual([]);

    // The statistics count what the rows show.
    const weeks = listStatistics(core, OPERATOR).weeks;
    expect(weeks.reduce((sum, { posts, replies }) => sum + (posts ?? 0) + (replies ?? 0), 0)).toBe(
      rows<{ n: number }>("SELECT count(*) AS n FROM posts WHERE created_at >= ?", weeks[0]?.startsAt ?? 0)[0]
        ?.n ?? -1,
    );
    for (const { active } of weeks) expect(active).toBeGreaterThan(20);
    expect(getCommunity(core, OPERATOR).counts?.activeMonth).toBeGreaterThan(20);

    // The first page of the feed is from the last two days. No opening occurs twice.
    const feed = rows<{ text: string; media: string; createdAt: number; replies: number }>(
      `SELECT text, media, created_at AS createdAt, replies FROM posts WHERE parent_id IS NULL ORDER BY id DESC LIMIT 40`,
    );
    expect(feed[0]?.createdAt).toBeGreaterThan(now - HOUR);
    expect(feed.filter(({ createdAt }) => createdAt > now - DAY).length).toBeGreaterThan(15);
    const openings = feed.map(({ text }) => firstLineOf(text).split(" ").slice(0, 2).join(" "));
    expect(new Set(openings.slice(0, 20)).size).toBe(20);
    expect(rows("SELECT id FROM posts WHERE answered_id IS NOT NULL").length).toBeGreaterThan(30);
    const pictures = feed.flatMap(
      ({ media }) => JSON.parse(media) as { hash: string; width: number; alt: string }[],
    );
    expect(pictures.length).toBe(5);
    for (const { hash, width, alt } of pictures) {
      expect(await storage.find(hash, width)).toBeDefined();
      expect(alt).not.toBe("");
    }

    // The member whose token the server prints.
    const id = rows<{ id: string }>(
      "SELECT id FROM builders WHERE username = (SELECT value FROM settings WHERE name = 'demo-builder')",
    )[0]?.id as string;
    const unread = rows<{ kind: string }>(
      "SELECT kind FROM notifications WHERE builder_id = ? AND read_at IS NULL ORDER BY kind",
      id,
    ).map(({ kind }) => kind);
    expect(unread).toEqual(["follow", "like", "mention", "message", "reply"]);
    expect(
      rows(
        "SELECT unread, is_request AS isRequest FROM thread_members WHERE builder_id = ? AND unread > 0 ORDER BY is_request, unread DESC",
        id,
      ),
    ).toMatchObject([
      { unread: 2, isRequest: 0 },
      { unread: 1, isRequest: 0 },
      { unread: 1, isRequest: 1 },
    ]);
    const [{ days = 0, earned = 0 } = {}] = rows<{ days: number; earned: number }>(
      `SELECT (SELECT sum(days - 1) FROM streaks WHERE builder_id = b.id) AS days,
              (SELECT count(*) FROM xp_entries WHERE builder_id = b.id AND rule = 'streak.day') AS earned
       FROM builders b WHERE b.id = ?`,
      id,
    );
    expect(days).toBeGreaterThan(20);
    expect(earned).toBe(days);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);
