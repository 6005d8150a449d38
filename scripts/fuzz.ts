import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromSource } from "../tests/program/programs.ts";

/*
 * Tests the program against its OpenAPI document: `bun run fuzz [seconds] [Schemathesis options]`.
 * Schemathesis generates valid and invalid requests, and chains of requests. schemathesis.toml says what is
 * covered and why. The tests do not run this script, because it needs Python and its registry and takes
 * minutes.
 */

const SCHEMATHESIS = "schemathesis==4.32.5";
const [seconds = "300", ...options] = process.argv.slice(2);
const root = join(import.meta.dir, "..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-fuzz-"));
const data = ["--data", join(folder, "data")];

/**
 * Runs Schemathesis against a new demo server, as a builder with all scopes except admin. Resolves with its
 * exit code.
 */
async function fuzz(): Promise<number> {
  const python = join(folder, "python");
  await run(["python3", "-m", "venv", python]);
  await run([join(python, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", SCHEMATHESIS]);
  const server = Bun.spawn([...fromSource.command, "serve", "--demo", "--port", "0", ...data], {
    cwd: folder,
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const { url, username } = await settled(server.stdout);
    const token = await run([
      ...fromSource.command,
      "token",
      "create",
      username,
      "--tier",
      "enterprise",
      ...data,
    ]);
    return await Bun.spawn(
      [
        join(python, "bin/schemathesis"),
        ...["--config-file", join(root, "schemathesis.toml"), "run", `${url}/v1/openapi.json`],
        ...["--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "20"],
        ...["--max-time", seconds, "--header", `Authorization: Bearer ${token.trim()}`, ...options],
      ],
      { cwd: folder, stdout: "inherit", stderr: "inherit" },
    ).exited;
  } finally {
    server.kill();
    await server.exited;
  }
}

/**
 * Reads the server's address and the demo builder's name from the output. Discards the rest of the output.
 */
async function settled(stdout: ReadableStream<Uint8Array>): Promise<{ url: string; username: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; username: string }>();
  const read = async (): Promise<void> => {
    let output = "";
    const decoder = new TextDecoder();
    for await (const chunk of stdout) {
      if (output.length > OUTPUT_MAX) continue;
      output += decoder.decode(chunk, { stream: true });
      const url = /"url":"([^"]+)"/.exec(output)?.[1];
      const username = /A token of @([\w-]+)/.exec(output)?.[1];
      if (url !== undefined && username !== undefined) resolve({ url, username });
    }
    reject(new Error(`the server did not start: ${output}`));
  };
  void read();
  return promise;
}

const OUTPUT_MAX = 10_000;

async function run(command: string[]): Promise<string> {
  const program = Bun.spawn(command, { cwd: folder, stdout: "pipe", stderr: "inherit" });
  const output = await new Response(program.stdout).text();
  if ((await program.exited) !== 0) throw new Error(`${command.join(" ")}\n${output}`);
  return output;
}

let code = 1;
try {
  code = await fuzz();
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(code);
