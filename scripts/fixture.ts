/**
 * `bun scripts/fixture.ts VERSION PROGRAM…` makes tests/fixtures/VERSION: a small database with realistic
 * history, and the facts that a test needs. PROGRAM is that release's own program (`bun
 * /elsewhere/src/cli/guildhall.ts` or its binary). Run the script once per release:
 * tests/releases.test.ts requires a fixture for each release.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Program, run, serve } from "../tests/program/programs.ts";

/** No server listens at this URL, so every delivery waits for its next attempt. */
const HOOK = "https://127.0.0.1:27617/hook";
const PASSWORD = "correct horse battery";
const ROOT = join(import.meta.dir, "..");

const [version = "", ...command] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version) || command.length === 0) {
  console.error(
    "bun scripts/fixture.ts VERSION PROGRAM…, as in: bun scripts/fixture.ts 0.3.0 dist/guildhall",
  );
  process.exit(2);
}
const program: Program = { name: version, command };
const cwd = mkdtempSync(join(tmpdir(), "guildhall-fixture-"));
const env = { GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8", GUILDHALL_LOG_LEVEL: "error" };

async function tool(args: string[], stdin?: string): Promise<string> {
  const ended = await run(program, [...args, "--data", "d"], { cwd, env, ...(stdin ? { stdin } : {}) });
  if (ended.code !== 0) throw new Error(`${args.join(" ")}: ${ended.stderr}`);
  return ended.stdout.trim();
}

await tool(["demo", "--builders", "5", "--posts", "10", "--jobs", "4", "--prompts", "3", "--seed", "7"]);
await tool(["builder", "create", "ada", "--admin", "--password-stdin"], PASSWORD);
await tool(["builder", "create", "bo", "--password-stdin"], PASSWORD);
const ada = await tool(["token", "create", "ada", "--tier", "enterprise"]);
const bo = await tool(["token", "create", "bo", "--tier", "enterprise"]);
const [clientId = ""] = (
  await tool(["app", "create", "ada", "Reader", "--redirect", "https://app.example/cb", "--public"])
).split("\n");
const life = await live();
const file = join(cwd, "d/guildhall.db");
const db = new Database(file);
const schema = db.pragma("user_version", { simple: true }) as number;
db.exec("VACUUM");
db.close();
const folder = join(ROOT, "tests/fixtures", version);
mkdirSync(folder, { recursive: true });
const packed = Bun.zstdCompressSync(readFileSync(file), { level: 19 });
writeFileSync(join(folder, "guildhall.db.zst"), packed);
writeFileSync(join(folder, "guildhall.key"), readFileSync(join(cwd, "d/guildhall.key")));
writeFileSync(join(folder, "life.json"), `${JSON.stringify({ version, schema, ...life }, null, 2)}\n`);
rmSync(cwd, { recursive: true });
console.log(`${folder}: schema ${schema}, ${packed.length} bytes`);

/** Uses the API as members and programs do. */
async function live() {
  await using server = await serve(program, {
    cwd,
    args: ["--data", "d"],
    env: { ...env, GUILDHALL_LOG_LEVEL: "info" },
  });
  const ask = async (token: string, method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return text === "" ? {} : JSON.parse(text);
  };
  const events = ["post.created", "job.published", "job.matched", "dm.received", "xp.level_up"];
  const hook = await ask(ada, "POST", "/webhooks", { url: HOOK, events });
  const rotated = await ask(ada, "POST", `/webhooks/${hook.id}/rotate-secret`);
  const post = await ask(
    ada,
    "POST",
    "/feed",
    { text: "# The loom\n\nIt weaves.", tags: ["looms"] },
    { "idempotency-key": "loom" },
  );
  const reply = await ask(bo, "POST", `/feed/${post.id}/replies`, { text: "So it does." });
  await ask(bo, "PUT", `/feed/${post.id}/like`);
  await ask(bo, "PUT", `/feed/${post.id}/report`, { reason: "spam" });
  await ask(ada, "POST", "/job-filters", { name: "Looms", stack: ["rust"] });
  const job = await ask(bo, "POST", "/jobs", {
    title: "Weaver",
    location: "Oslo",
    remote: true,
    seniority: "senior",
    stack: ["rust"],
    description: "Weave.",
    salary: { min: 60000, max: 80000, currency: "EUR" },
    apply_url: "https://jobs.example/1",
    company: { name: "Looms", slug: "looms-of-bo" },
  });
  const prompt = await ask(bo, "POST", "/prompts", {
    title: "Weave",
    body: "Weave {{cloth}}.",
    model: "any",
    category: "coding",
  });
  await ask(bo, "POST", `/prompts/${prompt.id}/versions`, { body: "Weave {{fine}}.", note: "finer" });
  await ask(ada, "PUT", `/prompts/${prompt.id}/rating`, { stars: 5 });
  await ask(ada, "PATCH", "/profiles/me", { bio: "Weaves.", time_zone: "Europe/Oslo" });
  await ask(ada, "POST", "/profiles/me/projects", { title: "Loom" });
  const thread = await ask(bo, "POST", "/messages", { to: "ada", text: "Is the loom for sale?" });
  await fetch(`${server.url}/.well-known/jwks.json`);
  const device = await fetch(`${server.url}/v1/oauth/device`, {
    method: "POST",
    body: new URLSearchParams({ client_id: clientId, scope: "feed:read" }),
  });
  if (!device.ok) throw new Error(`device: ${device.status} ${await device.text()}`);
  const waiting = async (): Promise<{ id: string }[]> =>
    (await ask(ada, "GET", `/webhooks/${hook.id}/deliveries?state=awaiting_retry&limit=100`)).data;
  // Waits for four deliveries: of the post, the job, the match and the message. A fifth delivery, for a new
  // level, is possible.
  for (let tries = 0; (await waiting()).length < 4 && tries < 100; tries++) await Bun.sleep(100);
  const found = {
    ada,
    bo,
    clientId,
    post: post.id,
    reply: reply.id,
    job: job.id,
    prompt: prompt.id,
    thread: thread.thread ?? thread.id,
    endpoint: hook.id,
    secrets: [rotated.secret, hook.secret],
    waiting: (await waiting()).map(({ id }) => id).sort(),
  };
  server.signal("SIGTERM");
  await server.exited;
  return found;
}
