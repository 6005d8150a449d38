import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { SECOND } from "../core/base/clock.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { listAdmins } from "../core/identity/builders/member-list.ts";
import type { Core } from "../core/base/core.ts";
import { openNewDataFolder } from "../app/new-data-folder.ts";
import { createFolderCore, hasDatabase, openDataFolder, unfinishedFolder } from "../app/data-folder.ts";
import {
  type Imported,
  importInto,
  findImportState,
  type Progress,
  dryRunImport,
  verifyExport,
} from "../transfer/import.ts";
import { importPictures } from "../transfer/pictures.ts";
import { openExport, type OpenExport } from "../transfer/reader.ts";
import { OtherImportUnfinished, TransferRefused } from "../transfer/transfer-refused.ts";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { type DataFlags, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

const BUSY_MS = 5 * SECOND;

/** Creates a community from an export. If the community already exists, reports this. Prints the result. */
export async function importExport(
  environment: Environment,
  folder: string,
  flags: DataFlags & { dryRun?: boolean },
): Promise<void> {
  const config = configOf(environment, flags);
  const bar = progressBar();
  const summary = await runImport(config, openExport(folder), flags.dryRun === true, bar.show).finally(
    bar.done,
  );
  for (const [name, rows] of Object.entries(summary.rows))
    if (rows > 0) process.stdout.write(`${name} ${rows} ${summary.outcome}\n`);
  for (const line of summary.after) process.stderr.write(`${line}\n`);
}

/** The final report: rows by file, and the next steps. */
interface ImportSummary {
  rows: Imported;
  outcome: "imported" | "already there" | "to import";
  after: readonly string[];
}

async function runImport(
  config: Config,
  from: OpenExport,
  isDryRun: boolean,
  progress: Progress,
): Promise<ImportSummary> {
  await verifyExport(from, progress);
  if (hasDatabase(config)) return importIntoExisting(config, from, isDryRun, progress);
  return isDryRun ? importTemporarily(config, from, progress) : createFromExport(config, from, progress);
}

const originOf = (config: Config): string => config.origin ?? `http://${config.host}:${config.port}`;

async function createFromExport(
  config: Config,
  from: OpenExport,
  progress: Progress,
): Promise<ImportSummary> {
  const founding = openNewDataFolder(config, { busyMs: BUSY_MS });
  let summary: ImportSummary;
  try {
    const core = createFolderCore(founding, config, originOf(config));
    const rows = await importInto(core, from, progress);
    importPictures(core, from.folder, unfinishedFolder(config.data));
    summary = { rows, outcome: "imported", after: afterwards(core) };
  } catch (error) {
    // An invalid export stays invalid, so the import is discarded. After any other error, the next run
    // continues.
    const isWrong = error instanceof TransferRefused && !(error instanceof OtherImportUnfinished);
    if (isWrong) founding.discard();
    else founding.close();
    throw error;
  }
  founding.settle();
  return summary;
}

/** Returns the next steps for the admin. Imported members have no password yet. */
function afterwards(core: Core): string[] {
  const admin = listAdmins(core, OPERATOR).findLast(({ suspendedAt }) => suspendedAt === null);
  const links = "Run `guildhall builder claims --links` for a password link per person.";
  return [
    admin
      ? `Nobody can sign in yet. ${links} The admin is ${admin.username}.`
      : `Nobody can sign in yet. ${links} There is no admin, so the server prints a set-up link when it starts.`,
    "Owners must create new secrets for their apps and webhook endpoints. The endpoints are disabled until then.",
  ];
}

/** Imports into a temporary database, which is deleted afterwards. */
async function importTemporarily(
  config: Config,
  from: OpenExport,
  progress: Progress,
): Promise<ImportSummary> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-dry-run-"));
  const scratch = { ...config, data: folder, keyFile: join(folder, "guildhall.key") };
  try {
    const founding = openNewDataFolder(scratch, { busyMs: BUSY_MS });
    try {
      const core = createFolderCore(founding, scratch, originOf(config));
      const { rows, wrong, problemCount } = await dryRunImport(core, from, progress);
      if (problemCount === 0) importPictures(core, from.folder, undefined);
      if (problemCount === 0) return { rows, outcome: "to import", after: ["Nothing was changed."] };
      const more = problemCount > wrong.length ? [`and ${problemCount - wrong.length} more`] : [];
      throw new TransferRefused([...wrong, ...more].join("\n  "));
    } finally {
      founding.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reports that the folder already has the community of the export. Throws if it has another community. */
async function importIntoExisting(
  config: Config,
  from: OpenExport,
  isDryRun: boolean,
  progress: Progress,
): Promise<ImportSummary> {
  const dataFolder = openDataFolder(config, { busyMs: BUSY_MS, mayCreate: false, lock: !isDryRun });
  try {
    const core = createFolderCore(dataFolder, config, originOf(config));
    const { presentRows, missing, isFromThisExport } = await findImportState(core, from, progress);
    if (missing > 0 && !isFromThisExport)
      throw new TransferRefused(
        `${config.data} holds another community. Import into an empty folder: name one with --data.`,
      );
    const missingText =
      missing > 0
        ? [
            `${countWithNoun(missing, "row")} of the export ${missing === 1 ? "was" : "were"} deleted here since, and ${missing === 1 ? "stays" : "stay"} deleted.`,
          ]
        : [];
    // An import that was killed after its last step leaves this folder.
    if (!isDryRun) rmSync(unfinishedFolder(config.data), { recursive: true, force: true });
    return { rows: presentRows, outcome: "already there", after: [...missingText, "Nothing was changed."] };
  } finally {
    dataFolder.close();
  }
}
