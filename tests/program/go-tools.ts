import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/run.ts";
import type { Absent } from "./bookworm.ts";

export const LITESTREAM = { source: "github.com/benbjohnson/litestream/cmd/litestream", version: "v0.5.18" };
export const VERSITYGW = { source: "github.com/versity/versitygw/cmd/versitygw", version: "v1.8.0" };

/**
 * Path of an installed program. Otherwise builds it once with Go into the temporary folder, which takes
 * minutes.
 */
export async function goTool(
  { source, version }: { source: string; version: string },
  mayBuild: boolean,
): Promise<string | Absent> {
  const name = source.slice(source.lastIndexOf("/") + 1);
  const found = Bun.which(name);
  if (found) return found;
  const folder = join(tmpdir(), `guildhall-${name}-${version}`);
  const built = join(folder, name);
  if (existsSync(built)) return built;
  if (!mayBuild) return { absent: `there is no ${name} here` };
  if (!Bun.which("go")) return { absent: `there is no ${name} here, and no go to build it` };
  try {
    await run(".", ["go", "install", `${source}@${version}`], { GOBIN: folder });
  } catch (error) {
    return { absent: `go does not build it: ${String(error).split("\n")[0]}` };
  }
  return built;
}
