import { join } from "node:path";
import type { World } from "./world.ts";

export const ROOT = join(import.meta.dir, "../..");

export interface Block {
  /** For example `docs/operating.md:12`. */
  place: string;
  commands: string[];
  /** The test that a comment before the block names. */
  runBy: string | undefined;
}

export async function pageOf(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text();
}

/** All `sh` blocks of a page. A command is one line, or several with a trailing backslash. */
export function blocksOf(path: string, page: string): Block[] {
  const form = /(?:<!-- run by (\S+) -->\s*)?^```sh\n([\s\S]*?)^```$/gm;
  return [...page.matchAll(form)].map((found) => ({
    place: `${path}:${page.slice(0, found.index).split("\n").length}`,
    runBy: found[1],
    commands: commandsIn(found[2] ?? ""),
  }));
}

function commandsIn(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Commands that run until they are stopped. */
const SERVES = /^(?:npx -y bun@\S+ start|\S*guildhall (?:serve|listen))\b/;
const STREAMS = /^curl -N /;

/**
 * Types a document's commands one after another. A server runs until the next server starts. `fill` replaces
 * placeholders. Returns all output.
 */
export async function follow(
  world: World,
  blocks: readonly Block[],
  fill: (command: string, output: string) => string,
): Promise<string> {
  let text = "";
  for (const { place, commands, runBy } of blocks) {
    if (runBy !== undefined) continue;
    for (const command of commands) {
      const { code, output } = await typed(world, fill(command, text));
      if (code !== 0) throw new Error(`${place}: ${command}\nended with ${code}:\n${output}`);
      text += output;
    }
  }
  return text;
}

async function typed(world: World, command: string): Promise<{ code: number; output: string }> {
  if (STREAMS.test(command)) {
    const { code, output } = await world.type(`timeout 2 ${command}`);
    // The command succeeded if the stream had sent something and was still open at the timeout.
    return { code: code === 124 && output !== "" ? 0 : code || 1, output };
  }
  if (!SERVES.test(command)) return world.type(command);
  return world.type(`
    [ -z "$SERVED" ] || { kill $SERVED; wait $SERVED; } 2>/dev/null
    ${command.replace(/\s#.*$/, "")} >/tmp/served 2>&1 &
    SERVED=$!
    until grep -qE '"listening"|^signing secret' /tmp/served; do kill -0 $SERVED || break; sleep 0.05; done
    sleep 0.2; cat /tmp/served; kill -0 $SERVED`);
}
