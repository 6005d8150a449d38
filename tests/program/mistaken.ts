/**
 * Runs many command lines in one process, in the folder where it is started: a JSON object a line on stdin,
 * `typed` and `env`; one on stdout for each, with what it came to. A line that never comes is one that waits.
 */
import { setMaxListeners } from "node:events";
import { run } from "../../src/cli/program.ts";

// Each `serve` listens for signals.
setMaxListeners(100, process);

const write = process.stdout.write.bind(process.stdout);
// What they print is nobody's concern.
process.stdout.write = () => true;

for (const line of (await Bun.stdin.text()).trim().split("\n")) {
  const { typed, env } = JSON.parse(line) as { typed: string; env: Record<string, string> };
  let stderr = "";
  process.stderr.write = (text: string | Uint8Array) => {
    stderr += String(text);
    return true;
  };
  const code = await run(["bun", "guildhall", ...typed.split(" ")], {
    variables: env,
    settings: "none.toml",
  }).catch(String);
  write(`${JSON.stringify({ typed, code, stderr })}\n`);
}
process.exit(0);
