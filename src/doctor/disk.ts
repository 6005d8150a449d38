import { statfsSync } from "node:fs";
import type { Finding } from "../core/across/checkup/checkup.ts";
import { databaseFile } from "../ground.ts";
import { sizeOf } from "../keep/room.ts";
import { inUnits } from "./words.ts";
import type { Patient } from "./patient.ts";

const MB = 1024 * 1024;
/** Below it a checkpoint of a full log may not find its room. */
const SEVERE_BYTES = 64 * MB;
/** An upgrade wants twice the database and what is kept free beside. */
const ENOUGH_BYTES = 512 * MB;

/** Whether the disk of the folder has room: for the database to grow, and for a copy of it. */
export function lookAtDisk({ config }: Patient): Finding[] {
  const { bavail, bsize } = statfsSync(config.data);
  const free = bavail * bsize;
  const database = databaseFile(config);
  const wanted = Math.max(ENOUGH_BYTES, 2 * (sizeOf(database) + sizeOf(`${database}-wal`)) + SEVERE_BYTES);
  const says = `${inUnits(free)} are free on the disk of ${config.data}`;
  if (free >= wanted) return [{ check: "disk", severity: "ok", says }];
  const severity = free < SEVERE_BYTES ? "severe" : "warning";
  return [
    {
      check: "disk",
      severity,
      says: `${says}; an upgrade or a backup beside it may want ${inUnits(wanted)}`,
      mend: `make room on the disk of ${config.data}: du -sh ${config.data}/* shows what takes it`,
    },
  ];
}
