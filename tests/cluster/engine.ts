import { readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import type { Absent } from "../program/bookworm.ts";
import { blocksOf } from "../program/documents.ts";
import { goTool, LITESTREAM, VERSITYGW } from "../program/go-tools.ts";
import { emptyFolder, type Program, run, serve, type Served } from "../program/programs.ts";
import { serveS3 } from "../program/versity.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGE = "docs/scaling.md";
const LEADER_CONFIG = "deploy/litestream-leader.yml";

/** Storage of the replica between the two engines. */
export type ReplicaStorage = "file" | "s3";

export interface EngineOptions {
  storage: ReplicaStorage;
  /** Whether to build Litestream if it is missing. This takes minutes. */
  mayBuild: boolean;
  /** Whether levels, retention and snapshots take seconds instead of hours and days. */
  hasShortIntervals: boolean;
  /** Maps the URL of the S3 server to the URL that the follower uses. */
  proxyUrl?: (url: string) => string;
}

/** A leader with its engine and a follower's engine. Each machine has its own folder. */
export interface Engines extends AsyncDisposable {
  leader: Served;
  token: string;
  /** The parent folder of both machines: `d` is the leader's data folder, `f` the follower's. */
  cwd: string;
  /** The replica as a local folder. */
  replica: string;
  /** The database file that readers of the follower open. */
  readersFile: string;
  /** `readersFile` by the name that the engine uses. */
  copy: string;
  output(): string;
  /** The process that writes the file, if any. */
  enginePid(): number | undefined;
  replicate(): Engine;
  follow(): Engine;
  env: Record<string, string>;
}

export interface Engine {
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** Opens both machines. Returns the reason if a third-party tool is not available. */
export async function openEngines(program: Program, options: EngineOptions): Promise<Engines | Absent> {
  const litestream = await goTool(LITESTREAM, options.mayBuild);
  if (typeof litestream !== "string") return litestream;
  const gateway = options.storage === "s3" ? await goTool(VERSITYGW, options.mayBuild) : undefined;
  if (typeof gateway === "object") return gateway;

  const stack = new AsyncDisposableStack();
  const folder = stack.use(emptyFolder());
  const cwd = folder.path;
  const s3 = gateway === undefined ? undefined : stack.use(await serveS3(gateway, cwd));
  const env = {
    PATH: [dirname(litestream), process.env["PATH"]].join(delimiter),
    GUILDHALL_REPLICA: s3 ? urlIn(s3.url) : `file://${join(cwd, "replica")}`,
    GUILDHALL_FOLLOW_CHECK: options.hasShortIntervals ? "1" : "10",
    ...(s3 && { AWS_ACCESS_KEY_ID: s3.id, AWS_SECRET_ACCESS_KEY: s3.secret }),
  };
  const config = join(cwd, "litestream-leader.yml");
  const written = readFileSync(join(ROOT, LEADER_CONFIG), "utf8");
  writeFileSync(config, options.hasShortIntervals ? withShortIntervals(written) : written);

  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
  const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd,
  });
  const leader = stack.use(await serve(program, { cwd, args: ["--data", "d"] }));
  let output = "";
  const start = (command: string[], data: string, more: Record<string, string> = {}): Engine => {
    const child = Bun.spawn(command, {
      cwd: ROOT,
      env: { ...env, ...more, GUILDHALL_DATA: join(cwd, data) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
    };
    void collect(child.stdout);
    void collect(child.stderr);
    const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number> => {
      child.kill(signal);
      return child.exited;
    };
    stack.defer(async () => void (await stop()));
    return { pid: child.pid, stop };
  };
  let follower = 0;
  return {
    leader,
    cwd,
    token: created.stdout.trim(),
    replica: s3 ? join(s3.bucket, "guild") : join(cwd, "replica"),
    readersFile: join(cwd, "f/guildhall.db"),
    copy: join(cwd, "f/engine/guildhall.db"),
    env,
    output: () => output,
    enginePid: () => childrenOf(follower).find(isEngine),
    replicate() {
      const command = documented("litestream replicate -config");
      return start(
        command.map((word) => (word === LEADER_CONFIG ? config : word)),
        "d",
      );
    },
    follow() {
      const place = s3 && options.proxyUrl ? { GUILDHALL_REPLICA: urlIn(options.proxyUrl(s3.url)) } : {};
      const started = start(documented("deploy/follow.sh"), "f", place);
      follower = started.pid;
      return started;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The documented command that contains `text`, without its variables for folder and replica. */
function documented(text: string): string[] {
  const commands = blocksOf(PAGE, readFileSync(join(ROOT, PAGE), "utf8")).flatMap((block) => block.commands);
  const command = commands.find((each) => each.includes(text));
  if (command === undefined) throw new Error(`${PAGE} has no command with ${text}`);
  return command.split(" ").filter((word) => !/^GUILDHALL_(?:DATA|REPLICA)=/.test(word));
}

const urlIn = (server: string): string =>
  `s3://bkt/guild?endpoint=${encodeURIComponent(server)}&region=us-east-1&forcePathStyle=true`;

/** Shortens the intervals and retentions of a Litestream configuration to seconds. */
export function withShortIntervals(config: string): string {
  return config
    .replace("l0-retention: 10s", "l0-retention: 1s")
    .replace("check-interval: 5s", "check-interval: 500ms")
    .replace("interval: 30s", "interval: 1s")
    .replace("interval: 5m", "interval: 2s")
    .replace("interval: 1h", "interval: 3s")
    .replace("retention: 2h", "retention: 6s");
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Whether the process is the Litestream that writes the file, not one that only checks the replica. */
function isEngine(pid: number): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return basename(args[0] ?? "") === "litestream" && !args.includes("-dry-run");
  } catch {
    return false;
  }
}

/** Writes a post. Returns its id and the time of the acknowledgement. */
export async function createPost(
  { leader, token }: Pick<Engines, "leader" | "token">,
  text: string,
): Promise<{ id: string; at: number }> {
  const answer = await fetch(`${leader.url}/v1/feed`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ text, tags: ["keep"] }),
  });
  if (answer.status !== 201) throw new Error(`a post was refused with ${answer.status}`);
  const { id } = (await answer.json()) as { id: string };
  return { id, at: Date.now() };
}
