// Runs the commands that docs/scaling.md lists for a stolen follower.
import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askNode, fenceNode, isNode } from "../../src/cluster/peers.ts";
import { systemClock } from "../../src/core/base/clock.ts";
import { systemRandom } from "../../src/core/base/random.ts";
import { createSecrets } from "../../src/core/base/sealed-secrets.ts";
import { blocksOf } from "../program/documents.ts";
import { emptyFolder, environment, guildhall, LONG_MS, run, serve } from "../program/programs.ts";

setDefaultTimeout(LONG_MS);

const PAGE = "docs/scaling.md";
const OWN = "tests/cluster/stolen.program.test.ts";
const WITHIN_MS = 60_000;

function documented(): string[] {
  const page = readFileSync(join(import.meta.dir, "../..", PAGE), "utf8");
  return blocksOf(PAGE, page)
    .filter(({ runBy }) => runBy === OWN)
    .flatMap(({ commands }) => commands);
}

test("a new key shuts out a stolen follower, and other followers adopt it without a restart of the leader", async () => {
  await using stack = new AsyncDisposableStack();
  const { path: cwd } = stack.use(emptyFolder());
  await run(guildhall, ["builder", "create", "ada", "--data", "d"], { cwd });
  const created = await run(guildhall, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd,
  });
  const env = { GUILDHALL_ORIGIN: "http://guild.localhost" };
  const leader = stack.use(
    await serve(guildhall, {
      cwd,
      args: ["--data", "d"],
      env: { ...env, GUILDHALL_PEERS: "http://127.0.0.1:1" },
    }),
  );
  const follow = async (name: string) => {
    mkdirSync(join(cwd, name), { mode: 0o700 });
    copyFileSync(join(cwd, "d/guildhall.key"), join(cwd, name, "guildhall.key"));
    const mover = Bun.spawn(
      [
        process.execPath,
        join(import.meta.dir, "mover.ts"),
        join(cwd, "d/guildhall.db"),
        join(cwd, name, "guildhall.db"),
        "50",
      ],
      { cwd, env: environment({}), stdio: ["ignore", "ignore", "ignore"] },
    );
    stack.defer(() => mover.kill());
    return stack.use(await serve(guildhall, { cwd, args: ["--data", name, "--follow", leader.url], env }));
  };
  const [stolen, kept] = [await follow("f1"), await follow("f2")];
  const post = async (url: string): Promise<number> => {
    const answer = await fetch(`${url}/v1/feed`, {
      method: "POST",
      headers: { authorization: `Bearer ${created.stdout.trim()}`, "content-type": "application/json" },
      body: JSON.stringify({ text: "By way of a follower", tags: [] }),
    });
    return answer.status;
  };
  const until = async (url: string, status: number): Promise<void> => {
    for (const end = Date.now() + WITHIN_MS; Date.now() < end; await Bun.sleep(100))
      if ((await post(url)) === status) return;
    throw new Error(`${url} does not answer ${status}`);
  };
  await until(stolen.url, 201);
  await until(kept.url, 201);
  const stolenKey = Buffer.from(readFileSync(join(cwd, "f1/guildhall.key"), "utf8").trim(), "hex");
  const thief = {
    secrets: createSecrets({ keys: () => [stolenKey], former: () => [] }, systemRandom),
    clock: systemClock,
    random: systemRandom,
  };
  expect(isNode((await askNode(thief, leader.url, 1)).answer)).toBe(true);

  const [rotate = "", ...others] = documented();
  expect(rotate).toStartWith("guildhall key rotate --leaked ");
  const [, ...words] = rotate.replace("/srv/guild", "d").split(" ");
  const rotated = await run(guildhall, words, { cwd });
  expect([rotated.code, rotated.stderr]).toEqual([0, ""]);
  expect(others).toHaveLength(1);
  for (const command of others) {
    const typed = command.replace("/media/key", join(cwd, "d")).replace("/srv/guild", join(cwd, "f2"));
    expect(Bun.spawnSync(["sh", "-c", typed], { cwd }).exitCode).toBe(0);
  }

  // The leader ignores three things from the stolen machine: its forwarded requests, requests signed with its
  // key, and its attempt to fence the leader.
  await until(stolen.url, 503);
  expect(await askNode(thief, leader.url, 1)).toMatchObject({ answer: { isUnreachable: false } });
  await fenceNode(thief, leader.url, 99);
  expect(await post(leader.url)).toBe(201);
  await until(kept.url, 201);
  expect((await fetch(`${kept.url}/readyz`)).status).toBe(200);
});
