// docs/contract.md#12.31: `deploy/cluster.sh` as docs/scaling.md shows it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { createServer, type AddressInfo } from "node:net";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder, guildhall, LONG_MS, run } from "../program/programs.ts";

setDefaultTimeout(LONG_MS);

const SCRIPT = join(import.meta.dir, "../../deploy/cluster.sh");

async function freePort(): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return String(port);
}

async function until(label: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await holds()); await Bun.sleep(50))
    if (performance.now() > end) throw new Error(`a minute was too short for this: ${label}`);
}

test("one command starts three nodes that share writes; one is promoted, and Ctrl-C ends all", async () => {
  using folder = emptyFolder();
  const ports = await Promise.all([freePort(), freePort(), freePort()]);
  const [one = "", two = "", three = ""] = ports.map((port) => `http://127.0.0.1:${port}`);
  // Hides Litestream on any machine, so that copies are snapshots.
  const tools = join(folder.path, "tools");
  mkdirSync(tools);
  symlinkSync(process.execPath, join(tools, "bun"));
  const env = {
    PATH: `${tools}:/usr/bin:/bin`,
    HOME: "/nonexistent",
    GUILDHALL: guildhall.command.join(" "),
  };
  const cluster = Bun.spawn(["sh", SCRIPT, ...ports], {
    cwd: folder.path,
    env: { ...env, CLUSTER_FOLDER: "c" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let output = "";
  const events = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of cluster.stdout) output += decoder.decode(piece);
  })();
  const data = (node: number): string => join(folder.path, "c", String(node));
  const headers = { authorization: "", "content-type": "application/json" };
  const read = async (url: string): Promise<string[]> => {
    const answer = await fetch(`${url}/v1/feed`, { headers }).catch(() => undefined);
    const body =
      answer?.status === 200 ? ((await answer.json()) as { data: { text: string }[] }) : { data: [] };
    return body.data.map(({ text }) => text);
  };
  const post = async (url: string, text: string): Promise<number | undefined> => {
    const body = JSON.stringify({ text });
    return (await fetch(`${url}/v1/feed`, { method: "POST", headers, body }).catch(() => undefined))?.status;
  };
  try {
    await until("that it is ready", () => output.includes("cluster: ready"));
    headers.authorization = `Bearer ${readFileSync(join(folder.path, "c/token"), "utf8").trim()}`;
    await until("that all answer", async () =>
      (
        await Promise.all([one, two, three].map((url) => fetch(`${url}/readyz`).catch(() => undefined)))
      ).every((answer) => answer?.status === 200),
    );
    await until("that a follower reaches the leader", async () => (await post(two, "Raku")) === 201);
    await until("that it is read at the third", async () => (await read(three)).includes("Raku"));

    const engine = readFileSync(join(folder.path, "c/engine-2.pid"), "utf8").trim();
    const promoted = await run(guildhall, ["promote", "--data", data(2), "--stop-engine", `kill ${engine}`], {
      cwd: folder.path,
      env: { GUILDHALL_PEERS: [one, two, three].join() },
    });
    expect([promoted.code, promoted.stderr]).toEqual([0, ""]);
    const lines = promoted.stdout.split("\n");
    expect(lines.filter((line) => line.startsWith(`${one} stepped down at version `))).toHaveLength(1);
    await until("that the second leads", async () => (await post(two, "Celadon")) === 201);
    expect(await post(one, "Too late")).toBe(503);
    await until("that the third follows it", async () => (await post(three, "Slip")) === 201);
    expect(await read(two)).toEqual(["Slip", "Celadon", "Raku"]);
  } finally {
    cluster.kill("SIGINT");
    await cluster.exited;
    await events;
  }
  expect(cluster.exitCode).toBe(0);
  for (const url of [one, two, three]) expect(await read(url)).toEqual([]);
});
