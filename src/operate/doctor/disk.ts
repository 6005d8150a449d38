import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { finding, type CheckResult, note, ok, warning } from "../../core/services/checkup/checkup.ts";
import { databaseFile } from "../../app/data-folder.ts";
import { freeBytes, sizeOf } from "../../files/disk-space.ts";
import { ALARM_BYTES } from "../health/write-ahead.ts";
import type { CheckContext } from "./context.ts";
import { codeOf, formatBytes } from "./format.ts";

const MB = 1024 * 1024;
/** If fewer bytes than this are free, the finding is severe. The checkpoint of a full WAL may then fail. */
const SEVERE_BYTES = 64 * MB;
/**
 * Free space in bytes that every server should have. An upgrade of a large database needs more: twice the
 * size of the database, and the reserve.
 */
const ENOUGH_BYTES = 512 * MB;
/**
 * If fewer inodes than this are free, the finding is severe. A disk with many small files runs out of inodes
 * long before it runs out of space.
 */
const SEVERE_FILES = 100;
const ENOUGH_FILES = 10_000;

/** Checks whether the disk has space for the database to grow, and for a copy of it. */
export function checkDisk({ config }: CheckContext): CheckResult {
  const { files, ffree } = statfsSync(config.data);
  const free = freeBytes(config.data);
  const database = databaseFile(config);
  const wanted = Math.max(ENOUGH_BYTES, 2 * (sizeOf(database) + sizeOf(`${database}-wal`)) + SEVERE_BYTES);
  return [
    finding(
      "disk",
      free < SEVERE_BYTES ? "severe" : free < wanted ? "warning" : "ok",
      `The disk of ${config.data} has ${formatBytes(free)} free. An upgrade may need ${formatBytes(wanted)}.`,
      free < wanted ? `Free up some space. To see what uses it: du -xahd1 ${config.data}` : undefined,
    ),
    // Some file systems create inodes on demand and report a total of 0.
    files > 0 &&
      ffree < ENOUGH_FILES &&
      finding(
        "disk_files",
        ffree < SEVERE_FILES ? "severe" : "warning",
        `The disk of ${config.data} has room for only ${ffree} more files (${files} inodes).`,
        `Delete small files. To find them: du -x --inodes ${config.data}`,
      ),
  ];
}

/**
 * Checks the temporary folder. The server does not need it, but the dry run of an import does
 * (docs/contract.md#12.1, docs/contract.md#12.6).
 */
export function checkTemporaryFolder(): CheckResult {
  const folder = tmpdir();
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return ok("temporary_folder", `${folder} has ${formatBytes(freeBytes(folder))} free.`);
  } catch (error) {
    return note(
      "temporary_folder",
      `This user cannot write to ${folder} (${codeOf(error)}), so guildhall import --dry-run fails.`,
      "Set TMPDIR to another folder",
    );
  }
}

/** Checks whether checkpoints keep up with the write-ahead log. */
export function checkLogSize({ config, isServed }: CheckContext): CheckResult {
  const bytes = sizeOf(`${databaseFile(config)}-wal`);
  const says = `The write-ahead log takes ${formatBytes(bytes)}`;
  if (bytes <= ALARM_BYTES) return ok("write_ahead_size", `${says}.`);
  return warning(
    "write_ahead_size",
    `${says}. ${isServed ? "Another program keeps the database open for reading." : "The last server was killed before it merged the log."}`,
    isServed
      ? `Stop that program before the disk is full. To find it: fuser -v ${databaseFile(config)}`
      : "Start the server: it merges the log",
  );
}
