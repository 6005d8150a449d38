import { closeSync, mkdirSync, openSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { run as runTool } from "../../scripts/run.ts";
import { type Absent, missing } from "./bookworm.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

const DISK = "160m";
const FREE_BYTES = 4 * 1024 * 1024;
const POSTS_MAX = 40_000;

/**
 * Runs the program on a small disk that really fills up. Checks writes, reads and reports before, during and
 * after (docs/threats.md#K03, docs/threats.md#L12). Returns the checks that failed.
 */
export async function fullDiskDrill(program: Program): Promise<{ wrongs: string[] } | Absent> {
  const lacks = missing("mount", "umount");
  if (lacks) return lacks;
  using folder = emptyFolder();
  const disk = join(folder.path, "disk");
  mkdirSync(disk);
  try {
    await runTool(".", ["mount", "-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]);
  } catch {
    return { absent: "no disk can be mounted here" };
  }
  try {
    return { wrongs: await fillDisk(program, folder.path, disk) };
  } finally {
    await runTool(".", ["umount", "--lazy", disk]);
  }
}

async function fillDisk(program: Program, cwd: string, disk: string): Promise<string[]> {
  const wrongs: string[] = [];
  const expect = (label: string, found: unknown, wanted: unknown): void => {
    if (Bun.deepEquals(found, wanted)) return;
    wrongs.push(`${label}: ${JSON.stringify(found)} in place of ${JSON.stringify(wanted)}`);
  };
  const tool = (...args: string[]) => run(program, [...args, "--data", "disk/d"], { cwd });
  await tool("builder", "create", "ada");
  const token = (await tool("token", "create", "ada", "--tier", "enterprise")).stdout.trim();
  await using server = await serve(program, { cwd, args: ["--data", "disk/d"] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = async (text: string): Promise<number> => {
    const answer = await fetch(`${server.url}/v1/feed`, {
      method: "POST",
      headers,
      body: JSON.stringify({ text }),
    });
    await answer.text();
    return answer.status;
  };
  const status = async (path: string): Promise<number> =>
    (await fetch(server.url + path, { headers })).status;
  const ready = async (): Promise<{ status: number; failing?: string[] }> => {
    // The server caches its readiness for a second.
    await Bun.sleep(1100);
    const answer = await fetch(`${server.url}/readyz`);
    const { failing } = (await answer.json()) as { failing?: string[] };
    return { status: answer.status, ...(failing && { failing }) };
  };
  const gauges = async (): Promise<string | undefined> => {
    // The first request triggers a new check.
    await status("/metrics");
    await Bun.sleep(1100);
    return /^guildhall_ready (\d)$/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
  };

  expect("ready with room", await ready(), { status: 200 });
  expect("health with room", (await tool("health")).code, 0);

  const filler = join(disk, "filler");
  fill(filler);
  truncateSync(filler, statSync(filler).size - FREE_BYTES);
  const stored: string[] = [];
  let refused = 0;
  for (let i = 0; i < POSTS_MAX && refused < 20; i++) {
    const text = `${i} ${"x".repeat(1900)}`;
    const answered = await post(text);
    if (answered === 201) stored.push(text);
    else if (answered === 500) refused++;
    else wrongs.push(`a post was answered ${answered}`);
  }
  expect("writes that were refused on a full disk", refused, 20);
  // The readiness check writes one page. This page may fit where a post does not, but repeated checks use up
  // that space.
  const first = await ready();
  let looked = first;
  for (let i = 0; i < 30 && !looked.failing?.includes("write"); i++) looked = await ready();
  expect("ready on a full disk", looked, { status: 503, failing: ["write", "disk"] });
  expect("the gauge on a full disk", await gauges(), "0");
  const health = await tool("health");
  expect("health on a full disk", health.code, 1);
  if (!/^guildhall: \S+ is not ready: writes fail, the disk is full\.\n$/.test(health.stderr))
    wrongs.push(`health says ${health.stderr}`);
  expect(
    "reads on a full disk",
    [await status("/v1/feed"), await status("/"), await status("/healthz")],
    [200, 200, 200],
  );
  const doctor = await tool("doctor", "--json");
  const severe = (JSON.parse(doctor.stdout) as { checked: { check: string; severity: string }[] }).checked
    .filter(({ severity }) => severity === "severe")
    .map(({ check }) => check);
  expect("doctor's code on a full disk", doctor.code, 1);
  if (!severe.includes("disk")) wrongs.push(`doctor finds severe: ${severe.join(", ") || "nothing"}`);

  rmSync(filler);
  expect("ready with room again", await ready(), { status: 200 });
  expect("a post with room again", await post("after"), 201);
  expect("the gauge with room again", await gauges(), "1");
  const messages = server
    .output()
    .split("\n")
    .filter((line) => /"(?:not ready|ready again)"/.test(line));
  // If the full disk is reported before the writes fail, the log has three changes. Otherwise the log has
  // two.
  expect("changes in the log", messages.length, first.failing?.includes("write") ? 2 : 3);

  const found = new Set<string>();
  for (let next = ""; ;) {
    const page = (await (await fetch(`${server.url}/v1/feed?limit=100${next}`, { headers })).json()) as {
      data: { text: string }[];
      next: string | null;
    };
    for (const { text } of page.data) found.add(text);
    if (page.next === null) break;
    next = `&cursor=${encodeURIComponent(page.next)}`;
  }
  const lost = stored.filter((text) => !found.has(text));
  expect("posts that were answered 201 and are lost", lost.length, 0);
  expect("posts that were refused and are there", found.size - stored.length - 1, 0);
  console.log(`${stored.length} posts found room, ${refused} were refused`);
  return wrongs;
}

function fill(file: string): void {
  const descriptor = openSync(file, "w");
  try {
    for (const bytes of [1 << 20, 1 << 12]) {
      const block = Buffer.alloc(bytes, 1);
      try {
        for (;;) if (writeSync(descriptor, block) < bytes) break;
      } catch {
        // The disk is full for blocks of this size.
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
