import { finding, type CheckResult, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { REPLICA_LATE_MS } from "../../core/services/backups/replica.ts";
import { isMarkedLeading } from "../../cluster/leader-mark.ts";
import { databaseFile } from "../../app/data-folder.ts";
import { accessOf } from "../backup/bucket.ts";
import { openReplica } from "../backup/replica.ts";
import { lastWrite } from "../backup/replica-age.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration } from "./format.ts";

const MEND = "Check `litestream replicate` on this node: docs/operating.md#alert-replica-behind";

/** Checks whether the replica of a leader has the newest commits. */
export async function checkReplica({ config, db, now }: CheckContext): Promise<CheckResult> {
  const isLeading = config.follow.length === 0 || isMarkedLeading(config.data);
  if (config.replica === undefined || !isLeading || !db || db.position().fencedBy !== null) return undefined;
  const check = "replica";
  const replica = openReplica(config.replica, accessOf(config));
  let newest: number;
  try {
    newest = await replica.newest();
  } catch (error) {
    const lack = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return severe(check, `The replica ${replica.name} cannot be read: ${lack}.`, MEND);
  }
  if (newest - now() > replica.skewMs)
    return warning(
      check,
      `The newest file of the replica ${replica.name} is ${formatDuration(newest - now())} in the future, so one of the two clocks is wrong.`,
      "timedatectl set-ntp true",
    );
  const written = lastWrite(databaseFile(config));
  const behindMs = written - newest;
  const says = `The newest file of the replica ${replica.name} is ${formatDuration(Math.max(0, now() - newest))} old`;
  if (behindMs <= replica.skewMs) return ok(check, `${says}, and nothing has been written since.`);
  return finding(
    check,
    behindMs > REPLICA_LATE_MS ? "severe" : "warning",
    `${says}, and the database was last written ${formatDuration(behindMs)} later.`,
    MEND,
  );
}
