import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import { databaseFile } from "../../app/data-folder.ts";
import { sizeOf } from "../../files/disk-space.ts";
import { ALARM_BYTES } from "../health/write-ahead.ts";
import type { CheckContext } from "./context.ts";
import { formatBytes } from "./format.ts";

/** Whether the log beside the database is taken over in time. Whose it is was looked at before it was opened. */
export function checkLogSize({ config, isServed }: CheckContext): FixableFinding[] {
  const bytes = sizeOf(`${databaseFile(config)}-wal`);
  const says = `the write-ahead log has ${formatBytes(bytes)}`;
  if (bytes <= ALARM_BYTES) return [{ check: "write_ahead_size", severity: "ok", says }];
  return [
    {
      check: "write_ahead_size",
      severity: "warning",
      says: `${says}: ${isServed ? "another program reads the database without end" : "the last server was killed before it was taken over"}`,
      mend: isServed
        ? `end it before the disk is full: fuser -v ${databaseFile(config)} shows who has the database open`
        : "start the server, which takes it over",
    },
  ];
}
