import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../bench/load.ts";
import { comparison, type Round } from "../bench/peers/comparison.ts";
import { createBenchCommunity } from "../bench/server.ts";
import { rowsOf } from "../bench/peers/rows.ts";

/** Tests the part of `bun run bench peers` that needs no other servers. */

test("counts one request for a chunked response, as for a response with a content length", async () => {
  let requestCount = 0;
  const part = "x".repeat(3000);
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requestCount++;
      if (request.url.endsWith("/whole")) return Response.json({ part });
      const pieces = ['["', part, "\\r\\n0\\r\\n\\r\\n", '"]'];
      const body = new ReadableStream({
        async pull(stream) {
          // Waits for a turn of the event loop, so that the client receives the pieces separately.
          await new Promise(setImmediate);
          const piece = pieces.shift();
          if (piece === undefined) stream.close();
          else stream.enqueue(Buffer.from(piece));
        },
      });
      return new Response(body, { status: request.url.endsWith("/refused") ? 400 : 200 });
    },
  });
  for (const path of ["whole", "chunked", "refused"]) {
    requestCount = 0;
    const done = await load({ url: `${server.url.origin}/${path}`, connections: 2, seconds: 0.3 });
    expect([path, done.requests]).toEqual([path, requestCount]);
    // The number of requests depends on the machine, but is at least one.
    expect(requestCount).toBeGreaterThan(0);
    expect(done.refused).toBe(path === "refused" ? requestCount : 0);
  }
});

test("compares the sides within a round, so that a slow minute of the machine affects all sides", () => {
  const turn = (perSecond: number, cpuMs: Record<string, number>): Round => ({
    perSecond,
    requests: perSecond * 2,
    p50: 1,
    p99: 2,
    refused: 0,
    cpuMs,
    memoryMiB: 100,
  });
  const ours = [turn(1000, { server: 200 }), turn(100, { server: 20 }), turn(1000, { server: 200 })];
  const theirs = [
    turn(500, { server: 100, PostgreSQL: 300 }),
    turn(50, { server: 10, PostgreSQL: 30 }),
    turn(250, { server: 100, PostgreSQL: 100 }),
  ];
  expect(
    comparison(
      new Map([
        ["ours", ours],
        ["theirs", theirs],
      ]),
    ),
  ).toEqual([
    ["ours", "1000", "1.00", "2.00", "100", "100", "", ""],
    ["theirs", "250", "1.00", "2.00", "400 (server 100, PostgreSQL 300)", "100", "2.00", "4.00"],
  ]);
});

test("fills every side with the posts of the feed and their authors", async () => {
  using stage = await createBenchCommunity({ builders: 5, posts: 20, jobs: 0, prompts: 0 });
  const { authors, posts } = rowsOf(stage.core);
  expect([authors.length, posts.length]).toEqual([5, 20]);
  expect(posts.toSorted((a, b) => a.createdAt - b.createdAt)).toEqual([...posts]);
  const stored = stage.core.db
    .prepare<{ username: string; text: string }>(
      "SELECT b.username, p.text FROM posts p JOIN builders b ON b.id = p.author_id WHERE p.parent_id IS NULL ORDER BY p.id",
    )
    .all();
  expect(posts.map(({ author, text }) => ({ username: authors[author]?.username ?? "", text }))).toEqual(
    stored,
  );
});

test("names a tool that the machine lacks in one line, and says that nothing was compared", async () => {
  const empty = mkdtempSync(join(tmpdir(), "guildhall-peers-test-"));
  try {
    const bench = Bun.spawn([process.execPath, "bench/run.ts", "peers"], {
      env: { PATH: empty, HOME: empty, XDG_CACHE_HOME: empty },
      stdout: "pipe",
      stderr: "inherit",
    });
    const output = await new Response(bench.stdout).text();
    expect(await bench.exited).toBe(0);
    expect(output).toMatch(/^PocketBase v[\d.]+ is not compared: there is no go here to build it$/m);
    expect(output).toMatch(/^PostGraphile [\d.]+ is not compared: there is no \S+ here/m);
    expect(output).toMatch(/^Nothing was compared\.$/m);
  } finally {
    rmSync(empty, { recursive: true });
  }
});
