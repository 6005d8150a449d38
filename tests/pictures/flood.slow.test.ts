// docs/contract.md#4.21, docs/threats.md#M04: many at once, each in a process of its own as the program has it.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { moveIn, openHouse } from "../support.ts";
import { chunk, png } from "./made.ts";

test.skipIf(Bun.which("curl") === null)(
  "fifty pictures sent at once are each drawn, they are not held in memory, and the feed is read meanwhile",
  async () => {
    await using house = openHouse();
    const { core, folder, url } = house;
    const members = Array.from({ length: 10 }, (_, i) => moveIn(core, `member${i}`));
    createPost(core, members[0]?.caller as never, { text: "hello" });
    const file = join(folder, "sent.png");
    // Four megabytes each, of which next to nothing is a picture.
    writeFileSync(file, png(64, 48, 0, [chunk("tEXt", Buffer.alloc(4_000_000, "a"))]));
    Bun.gc(true);
    const before = process.memoryUsage().rss;
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
        answers.push((await house.ask(members[0]?.token, "/feed")).status);
        most = Math.max(most, process.memoryUsage().rss);
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
    // 200 MB were sent, and Bun reads most of it ahead. A server that collected each body grew by more than 500 MB.
    expect((most - before) / 1e6).toBeLessThan(300);
    expect(readdirSync(join(folder, "media", ".incoming"))).toEqual([]);
  },
  60_000,
);
