import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dir, "../..");

/**
 * Timeout of a test that compiles the program or starts it more than a dozen times, for a slow and busy
 * machine.
 */
export const LONG_MS = 240_000;

export interface Program {
  name: string;
  command: string[];
}

export const fromSource: Program = {
  name: "source",
  command: [
    process.execPath,
    `--tsconfig-override=${join(ROOT, "tsconfig.json")}`,
    join(ROOT, "src/cli/guildhall.ts"),
  ],
};

/** Path of the binary that `bun run test:programs` has built for all test files. */
export const BUILT = process.env["GUILDHALL_BINARY"] && resolve(ROOT, process.env["GUILDHALL_BINARY"]);

/** The binary if there is one. It starts three times as fast as the source. */
export const guildhall: Program = BUILT === undefined ? fromSource : { name: "binary", command: [BUILT] };

/** Copies the binary into a folder, after compiling it if necessary. */
export async function copyBinary(folder: string): Promise<Program> {
  const file = join(folder, "guildhall");
  if (BUILT === undefined) {
    const built = Bun.spawnSync([process.execPath, "scripts/build.ts", "--outfile", file], { cwd: ROOT });
    if (built.exitCode !== 0) throw new Error(`the build failed: ${built.stderr.toString()}`);
  } else copyFileSync(BUILT, file);
  return { name: "binary", command: [...asUnprivilegedUser(), file] };
}

/** Command prefix that drops to an unprivileged user, if the tests run as root. */
function asUnprivilegedUser(): string[] {
  const canDrop = process.getuid?.() === 0 && Bun.which("setpriv") !== null;
  return canDrop ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"] : [];
}

/** An empty folder that everyone may write to. Removed at the end. */
export function emptyFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "guildhall-program-"));
  chmodSync(path, 0o777);
  if (process.getuid?.() === 0) chownSync(path, 65534, 65534);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** The environment of the program: only these variables, PATH and HOME. */
export function environment(env: Record<string, string>): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env };
}

export async function run(
  program: Program,
  args: string[],
  { cwd, env = {}, stdin }: { cwd: string; env?: Record<string, string>; stdin?: string },
): Promise<Finished> {
  const child = Bun.spawn([...program.command, ...args], {
    cwd,
    env: environment(env),
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

export interface Served extends AsyncDisposable {
  url: string;
  pid: number;
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended the process. */
  exited: Promise<number | string>;
}

/** Starts a server and waits for its ready line. */
export async function serve(
  program: Program,
  { cwd, args = [], env = {} }: { cwd: string; args?: string[]; env?: Record<string, string> },
): Promise<Served> {
  const child = Bun.spawn([...program.command, "serve", "--port", "0", ...args], {
    cwd,
    env: environment(env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      const line = output
        .split("\n")
        .find((text) => text.includes('"msg":"listening"') && text.endsWith("}"));
      // With --demo a greeting follows, which ends with the URL of the docs.
      if (line && (!args.includes("--demo") || /\/docs|--demo changed nothing/.test(output)))
        resolve(JSON.parse(line).url);
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const exited = child.exited.then(async (code) => {
    await collected;
    reject(new Error(`the server stopped before it was ready: ${output}`));
    return child.signalCode ?? code;
  });
  return {
    url: await ready,
    pid: child.pid,
    output: () => output,
    signal: (name) => child.kill(name),
    exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
