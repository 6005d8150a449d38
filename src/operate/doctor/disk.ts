import { accessSync, constants, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import { databaseFile } from "../../app/data-folder.ts";
import { freeBytes, sizeOf } from "../../files/disk-space.ts";
import type { CheckContext } from "./context.ts";
import { codeOf, formatBytes } from "./format.ts";

const MB = 1024 * 1024;
/** Below it a checkpoint of a full log may not find its room. */
const SEVERE_BYTES = 64 * MB;
/** An upgrade wants twice the database and what is kept free beside. */
const ENOUGH_BYTES = 512 * MB;
/** A disk of many small files has no more names long before it has no more room. */
const SEVERE_FILES = 100;
const ENOUGH_FILES = 10_000;

/** Whether the disk of the folder has room: for the database to grow, and for a copy of it. */
export function checkDisk({ config }: CheckContext): FixableFinding[] {
  const { files, ffree } = statfsSync(config.data);
  const free = freeBytes(config.data);
  const database = databaseFile(config);
  const wanted = Math.max(ENOUGH_BYTES, 2 * (sizeOf(database) + sizeOf(`${database}-wal`)) + SEVERE_BYTES);
  const room: FixableFinding = {
    check: "disk",
    severity: free < SEVERE_BYTES ? "severe" : free < wanted ? "warning" : "ok",
    says: `${formatBytes(free)} are free on the disk of ${config.data}, where an upgrade may want ${formatBytes(wanted)}`,
    ...(free < wanted && { mend: `make room: du -xahd1 ${config.data} shows what takes it` }),
  };
  // Some file systems make places for files as they are wanted, and count none.
  if (files === 0 || ffree >= ENOUGH_FILES) return [room];
  return [
    room,
    {
      check: "disk_files",
      severity: ffree < SEVERE_FILES ? "severe" : "warning",
      says: `the disk of ${config.data} has places for ${ffree} more files (of ${files} inodes)`,
      mend: `delete small files: du -x --inodes ${config.data} shows where they are, df -i the whole disk`,
    },
  ];
}

/** Nothing of the server needs it: a try of an import does (docs/contract.md#12.1, docs/contract.md#12.6). */
export function checkTemporaryFolder(): FixableFinding[] {
  const folder = tmpdir();
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return [
      {
        check: "temporary_folder",
        severity: "ok",
        says: `${formatBytes(freeBytes(folder))} are free in ${folder}`,
      },
    ];
  } catch (error) {
    return [
      {
        check: "temporary_folder",
        severity: "note",
        says: `${folder} cannot be written by this user (${codeOf(error)}): guildhall import --dry-run will not work`,
        mend: "name another folder with TMPDIR",
      },
    ];
  }
}
