import {
  type Checkup,
  finding,
  type Finding,
  findingsOf,
  type FixableFinding,
  note,
  severe,
  warning,
} from "../../core/services/checkup/checkup.ts";
import { openFolder } from "./data-folder.ts";
import { checkBackups } from "./backups.ts";
import { checkCertificates } from "./certificates.ts";
import { checkClock } from "./clock.ts";
import { DATABASE_CHECKS } from "./database.ts";
import { checkDisk, checkLogSize, checkTemporaryFolder } from "./disk.ts";
import { checkPictures } from "./pictures.ts";
import { checkLeftovers } from "./leftovers.ts";
import { checkMail } from "./mail.ts";
import { checkOrigin } from "./origin.ts";
import type { Check, CheckContext } from "./context.ts";
import { checkOwners, checkOwnerRights, checkRights } from "./rights.ts";
import { checkLead, checkServer } from "./server.ts";
import { checkWebhooks } from "./webhooks.ts";
import { checkReplica } from "./replica.ts";
import { singleLine, messageOf } from "./format.ts";

/**
 * Checks, in the order of their execution. The name of a check is shown while the check runs, and in the
 * finding if the check fails.
 */
const CHECKS: Readonly<Record<string, Check>> = {
  server: checkServer,
  lead: checkLead,
  origin: checkOrigin,
  certificate: checkCertificates,
  clock: checkClock,
  disk: checkDisk,
  temporary_folder: checkTemporaryFolder,
  write_ahead_size: checkLogSize,
  backup: checkBackups,
  replica: checkReplica,
  rights: checkRights,
  owner: checkOwners,
  owner_rights: checkOwnerRights,
  unfinished: checkLeftovers,
  pictures: checkPictures,
  webhook_allow: checkWebhooks,
  mail: checkMail,
  ...DATABASE_CHECKS,
};

export interface CheckOptions extends Pick<
  CheckContext,
  "config" | "now" | "network" | "isSampled" | "isFixing"
> {
  onProgress(check: string, done: number, total: number): void;
}

/**
 * Runs every check (docs/contract.md#12.11). A check that throws becomes a finding and does not stop the
 * others. With `isFixing`, fixes what is safe to fix and checks again.
 */
export async function runChecks({ onProgress, ...options }: CheckOptions): Promise<Checkup> {
  const { config, now, isFixing } = options;
  const at = now();
  const { isServed, db, found, close } = openFolder(config, isFixing);
  const checked = findingsOf(found).map(withoutFix);
  if (isServed === undefined) return { at, checked };
  try {
    for (const [name, check] of Object.entries(CHECKS)) {
      const progress = (done: number, total: number): void => onProgress(name, done, total);
      const run = async (): Promise<FixableFinding[]> => {
        try {
          return findingsOf(await check({ ...options, isServed, db, progress }));
        } catch (error) {
          return [severe(name, `The check failed: ${messageOf(error)}`)];
        }
      };
      progress(0, 1);
      const first = await run();
      const fixed = isFixing ? await fixAll(first) : [];
      const last = fixed.length > 0 ? await run() : first;
      checked.push(...fixed, ...last.map(withoutFix));
    }
    return { at, checked };
  } finally {
    close();
  }
}

/** Runs the fixes. Returns a finding for each fix. */
async function fixAll(found: readonly FixableFinding[]): Promise<Finding[]> {
  const done: Finding[] = [];
  for (const { check, fix } of found) {
    if (!fix) continue;
    try {
      done.push(note(check, singleLine(await fix())));
    } catch (error) {
      done.push(warning(check, `The fix failed: ${messageOf(error)}`));
    }
  }
  return done;
}

function withoutFix({ check, severity, says, mend }: FixableFinding): Finding {
  return finding(check, severity, singleLine(says), mend === undefined ? undefined : singleLine(mend));
}
