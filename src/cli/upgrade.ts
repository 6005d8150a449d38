import type { Config } from "../config/config.ts";
import { systemClock } from "../core/base/clock.ts";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { lockDataFolder } from "../app/data-folder.ts";
import { type ReportStep, type Upgraded, upgradeWithCopy } from "../operate/backup/upgrade.ts";

/**
 * Upgrades an older database to this program's version: locks the folder, checks the key and makes a copy
 * first (docs/contract.md#12.8). Returns undefined if no upgrade is needed.
 */
export async function upgradeFolder(
  config: Config,
  report: ReportStep,
): Promise<(Upgraded & { copy: string }) | undefined> {
  const folder = lockDataFolder(config);
  for (const message of folder.messages) process.stderr.write(`guildhall: ${message}\n`);
  try {
    if (folder.version >= SCHEMA_VERSION) return undefined;
    return await upgradeWithCopy({ data: config.data, ...folder }, systemClock.now(), report);
  } finally {
    folder.release();
  }
}

export function secondsOf({ steps }: Upgraded): string {
  return (steps.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(1);
}
