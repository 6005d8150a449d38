/**
 * Runs many command lines in one process, in its working folder. Each line on stdin is a JSON object with
 * `typed` and `env`. Each line on stdout is a result. A missing result means that the command waits.
 */
import { setMaxListeners } from "node:events";
import { run } from "../../src/cli/program.ts";

setMaxListeners(100, process);

const write = process.stdout.write.bind(process.stdout);
// Discards the commands' own output.
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
