import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fill, row } from "./ground.ts";

const SIZES = [20_000, 400_000] as const;

/**
 * What it takes to export a demo and to found a community from it, each as a process of its own: time, and the
 * most memory that it had.
 */
export async function moving(): Promise<void> {
  row("posts", "database MB", "files MB", "step", "rows", "s", "rows/s", "most memory MiB");
  row("---", "---", "---", "---", "---", "---", "---", "---");
  for (const posts of SIZES) {
    using stage = await fill({ builders: 2000, posts, jobs: posts / 20, prompts: posts / 40 });
    stage.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    const folder = mkdtempSync(join(tmpdir(), "guildhall-moving-"));
    try {
      const out = join(folder, "out");
      const steps = [
        ["export", "export", out, "--data", stage.folder],
        ["import --dry-run", "import", out, "--dry-run", "--data", join(folder, "new")],
        ["import", "import", out, "--data", join(folder, "new")],
        ["import, there already", "import", out, "--data", join(folder, "new")],
      ] as const;
      for (const [step, ...args] of steps) {
        const { seconds, rows, mebibytes } = await timed(args);
        const sizes = [megabytes(stage.folder), megabytes(out)];
        row(posts, ...sizes, step, rows, seconds.toFixed(1), Math.round(rows / seconds), mebibytes);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function timed(args: readonly string[]): Promise<{ seconds: number; rows: number; mebibytes: number }> {
  const begun = performance.now();
  const child = Bun.spawn([process.execPath, "src/cli/guildhall.ts", ...args], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [printed, complaint] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(complaint);
  const seconds = (performance.now() - begun) / 1000;
  const rows = printed.split("\n").reduce((sum, line) => sum + Number(line.split(" ")[1] ?? 0), 0);
  return { seconds, rows, mebibytes: Math.round((child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024) };
}

function megabytes(folder: string): number {
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return Math.round(bytes / 1e6);
}
