// docs/contract.md#4.21, docs/threats.md#M04: many uploads at once, each encoded in its own process as in
// production.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { residentMiB } from "../../bench/server.ts";
import { fromSource, serve } from "../program/programs.ts";
import { KEY, createTestWorld, createMember } from "../support.ts";
import { chunk, png } from "./sample-images.ts";

test.skipIf(Bun.which("curl") === null || process.platform !== "linux")(
  "re-encodes fifty simultaneous pictures without holding them in memory, and serves the feed meanwhile",
  async () => {
    using world = createTestWorld();
    const { core, folder } = world;
    const members = Array.from({ length: 10 }, (_, i) => createMember(core, `member${i}`));
    createPost(core, members[0]?.caller as never, { text: "hello" });
    const file = join(folder, "sent.png");
    // Each file has four megabytes, almost all of it metadata.
    writeFileSync(file, png(64, 48, 0, [chunk("tEXt", Buffer.alloc(4_000_000, "a"))]));
    // Runs the server as a separate process, because other tests fill the memory of the suite's worker.
    await using server = await serve(fromSource, {
      cwd: folder,
      args: ["--data", "."],
      env: { GUILDHALL_KEY: KEY },
    });
    const { url, pid } = server;
    const feed = async () =>
      (await fetch(`${url}/v1/feed`, { headers: { authorization: `Bearer ${members[0]?.token}` } })).status;
    await feed();
    // Warm-up: the code of the first upload stays in memory, and only the fifty uploads are measured.
    const small = new FormData();
    small.set("file", new Blob([Uint8Array.from(png(64, 48))]), "small.png");
    const { status } = await fetch(`${url}/v1/media`, {
      method: "POST",
      headers: { authorization: `Bearer ${members[0]?.token}` },
      body: small,
    });
    expect(status).toBe(201);
    const before = residentMiB(pid);
    let most = before;
    let isOver = false;
    const sending = Array.from({ length: 50 }, (_, i) =>
      Bun.spawn(
        [
          "curl",
          "-s",
          "-o",
          "/dev/null",
          "-w",
          "%{http_code}",
          // At full loopback speed, Bun reads a body ahead of its consumer.
          "--limit-rate",
          "1M",
          "--noproxy",
          "*",
          "-F",
          `file=@${file}`,
          "-H",
          `Authorization: Bearer ${members[i % 10]?.token}`,
          `${url}/v1/media`,
        ],
        { stderr: "inherit" },
      ),
    );
    const reading = (async () => {
      const answers: number[] = [];
      while (!isOver) {
        answers.push(await feed());
        most = Math.max(most, residentMiB(pid));
        await Bun.sleep(20);
      }
      return answers;
    })();
    const codes = await Promise.all(sending.map(({ stdout }) => Bun.readableStreamToText(stdout)));
    isOver = true;
    const answers = await reading;
    expect(codes).toEqual(codes.map(() => "201"));
    expect(answers.length).toBeGreaterThan(20);
    expect(new Set(answers)).toEqual(new Set([200]));
    // The clients sent 200 MB. A server that buffered each body grew by more than 500 MB.
    expect(((most - before) * 1024 ** 2) / 1e6).toBeLessThan(130);
    expect(readdirSync(join(folder, "media", ".incoming"))).toEqual([]);
  },
  120_000,
);
