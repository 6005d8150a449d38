import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dashboard } from "../../scripts/dashboard.ts";
import { authority, openReceiver } from "../delivery/receiver.ts";
import { expressionsOf } from "../deploy-files.ts";
import { linesOf } from "../metrics-page.ts";
import { freePort } from "./acme-drill.ts";
import type { Absent } from "./bookworm.ts";
import { emptyFolder, type Program, run, type Served, serve } from "./programs.ts";

const DEPLOY = join(import.meta.dir, "../../deploy");
const TOKEN = "scrape-me";

/** Metrics without values if there is no TLS, fault, backup, replica or follower. */
const MAY_BE_EMPTY =
  /certificate|backup_(?:age|rehearsal|duration|bytes)|chore_|replica|leader_up|follower|handed_on|troubles|checkup_age/;

export interface MetricsReport {
  /**
   * Number of lines on the page, its median response time in ms, and number of answered panel expressions.
   */
  lines: number;
  ms: number;
  answered: number;
  wrongs: string[];
}

/**
 * Runs a real Prometheus with the files of deploy/ on a server with traffic. promtool accepts the page, the
 * rules, their cases and the configuration. Every dashboard expression has a result, every rule is valid, and
 * no alert fires.
 */
export async function metricsDrill(program: Program, seconds: number): Promise<MetricsReport | Absent> {
  const lacks = ["prometheus", "promtool"].filter((name) => Bun.which(name) === null);
  if (lacks.length > 0) return { absent: `there is no ${lacks.join(", no ")} here (Debian: prometheus)` };
  using folder = emptyFolder();
  const { path } = folder;
  const wrongs: string[] = [];
  await using receiver = await openReceiver();
  writeFileSync(join(path, "ca.pem"), (await authority()).pem);
  mkdirSync(join(path, "backups"), { mode: 0o777 });
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd: path });
  const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd: path,
  });
  await using server = await serve(program, {
    cwd: path,
    args: ["--data", "d"],
    env: {
      GUILDHALL_METRICS_TOKEN: TOKEN,
      GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
      GUILDHALL_WEBHOOK_CA: "ca.pem",
      GUILDHALL_BACKUP: join(path, "backups"),
    },
  });
  const port = await freePort();
  writeFileSync(join(path, "prometheus.yml"), configFor(path, new URL(server.url).host));
  for (const name of ["guildhall.rules.yml", "guildhall.rules.test.yml"])
    cpSync(join(DEPLOY, name), join(path, name));
  writeFileSync(join(path, "panels.yml"), panelsAsRules());
  const prometheus = Bun.spawn(
    [
      "prometheus",
      "--config.file=prometheus.yml",
      "--storage.tsdb.path=tsdb",
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { cwd: path, stdout: "ignore", stderr: "ignore" },
  );
  try {
    const traffic = await begin(server.url, created.stdout.trim(), receiver.port);
    const until = performance.now() + seconds * 1000;
    for (let i = 0; performance.now() < until; i++) await traffic(i);
    const page = await read(server);
    for (const [args, stdin] of [
      [["check", "metrics"], page.text],
      [["check", "rules", "guildhall.rules.yml", "panels.yml"], undefined],
      [["test", "rules", "guildhall.rules.test.yml"], undefined],
      [["check", "config", "prometheus.yml"], undefined],
    ] as const)
      wrongs.push(...(await promtool(path, args, stdin)));
    const { answered, empty } = await queryPanels(`http://127.0.0.1:${port}`);
    wrongs.push(...empty.map((expression) => `nothing answers ${expression}`));
    wrongs.push(...(await wrongRules(`http://127.0.0.1:${port}`)));
    return { lines: linesOf(page.text).size, ms: page.ms, answered, wrongs };
  } finally {
    prometheus.kill();
    await prometheus.exited;
  }
}

/** deploy/prometheus.yml with its placeholders filled in. */
function configFor(folder: string, target: string): string {
  writeFileSync(join(folder, "token"), TOKEN);
  const config = readFileSync(join(DEPLOY, "prometheus.yml"), "utf8")
    .replace("scheme: https", "scheme: http")
    .replace("/etc/prometheus/guildhall.token", join(folder, "token"))
    .replace("/etc/prometheus/guildhall.rules.yml", join(folder, "guildhall.rules.yml"))
    .replace("guild.example", target);
  return `global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\n${config}`;
}

/** The dashboard's expressions as rules, because promtool checks expressions only in rules. */
function panelsAsRules(): string {
  const rules = expressionsOf(dashboard()).map((expr, index) => ({ record: `panel:${index}`, expr }));
  return JSON.stringify({ groups: [{ name: "panels", rules }] });
}

/** Causes some traffic of every counted kind. */
async function begin(url: string, token: string, receiverPort: number) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}) => {
    await (await fetch(url + path, { headers, ...init })).bytes();
  };
  const post = (path: string, body: object) => ask(path, { method: "POST", body: JSON.stringify(body) });
  await post("/v1/webhooks", { url: `https://127.0.0.1:${receiverPort}/`, events: ["post.created"] });
  return async (i: number): Promise<void> => {
    await post("/v1/feed", { text: `post ${i}`, tags: ["metrics"] });
    await ask("/v1/feed");
    await ask("/v1/feed/post_none");
    await ask("/", { headers: { accept: "text/html" } });
    await post("/graphql", { query: "{ viewer { username } }" });
    await ask("/v1/feed", { headers: { authorization: "Bearer guild_pat_none" } });
    await Bun.sleep(50);
  };
}

async function read({ url }: Served): Promise<{ text: string; ms: number }> {
  const took: number[] = [];
  let text = "";
  for (let i = 0; i < 21; i++) {
    const from = performance.now();
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    text = await answer.text();
    took.push(performance.now() - from);
  }
  return { text, ms: Math.round((took.toSorted((a, b) => a - b)[10] ?? 0) * 100) / 100 };
}

/** Runs promtool. Returns its complaints. */
async function promtool(cwd: string, args: readonly string[], stdin?: string): Promise<string[]> {
  const { code, stdout, stderr } = await run({ name: "promtool", command: ["promtool"] }, [...args], {
    cwd,
    ...(stdin === undefined ? {} : { stdin }),
  });
  // For metrics, promtool exits with 0 even with some complaints.
  const isSilent = args[1] !== "metrics" || (stdout + stderr).trim() === "";
  return code === 0 && isSilent ? [] : [`promtool ${args.join(" ")}: ${stdout}${stderr}`];
}

async function query<Data>(at: string, path: string): Promise<Data> {
  const { data, error } = (await (await fetch(`${at}/api/v1/${path}`)).json()) as {
    data: Data;
    error?: string;
  };
  if (error !== undefined) throw new Error(`${path}: ${error}`);
  return data;
}

async function queryPanels(at: string): Promise<{ answered: number; empty: string[] }> {
  const expressions = expressionsOf(dashboard());
  const empty: string[] = [];
  for (const expression of expressions) {
    const { result } = await query<{ result: unknown[] }>(
      at,
      `query?query=${encodeURIComponent(expression)}`,
    );
    if (result.length === 0 && !MAY_BE_EMPTY.test(expression)) empty.push(expression);
  }
  return { answered: expressions.length - empty.length, empty };
}

async function wrongRules(at: string): Promise<string[]> {
  interface QueryResult {
    groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[];
  }
  const { groups } = await query<QueryResult>(at, "rules");
  const rules = groups.flatMap((group) => group.rules);
  if (rules.length === 0) return ["Prometheus has no rules"];
  return rules
    .filter(({ health, state }) => health !== "ok" || state === "firing")
    .map(({ name, health, state, lastError = "" }) => `${name}: ${health}, ${state} ${lastError}`);
}
