import type { Finding, Checkup, FixableFinding } from "../../core/services/checkup/checkup.ts";
import { openFolder } from "./data-folder.ts";
import { checkBackups } from "./backups.ts";
import { checkCertificates } from "./certificates.ts";
import { checkClock } from "./clock.ts";
import { DATABASE_CHECKS } from "./database.ts";
import { checkDisk, checkTemporaryFolder } from "./disk.ts";
import { checkPictures } from "./pictures.ts";
import { checkLead } from "./lead.ts";
import { checkLeftovers } from "./leftovers.ts";
import { checkMail } from "./mail.ts";
import { checkOrigin } from "./origin.ts";
import type { Check, CheckContext } from "./context.ts";
import { checkOwners, checkOwnerRights, checkRights } from "./rights.ts";
import { checkServer } from "./server.ts";
import { checkWebhooks } from "./webhooks.ts";
import { checkReplica } from "./replica.ts";
import { singleLine, messageOf } from "./format.ts";
import { checkLogSize } from "./write-ahead.ts";

/** In the order in which they run. */
const CHECKS: readonly Check[] = [
  { name: "server", run: checkServer },
  { name: "lead", run: checkLead },
  { name: "origin", run: checkOrigin },
  { name: "certificate", run: checkCertificates },
  { name: "clock", run: checkClock },
  { name: "disk", run: checkDisk },
  { name: "temporary_folder", run: checkTemporaryFolder },
  { name: "write_ahead_size", run: checkLogSize },
  { name: "backup", run: checkBackups },
  { name: "replica", run: checkReplica },
  { name: "rights", run: checkRights },
  { name: "owner", run: checkOwners },
  { name: "owner_rights", run: checkOwnerRights },
  { name: "unfinished", run: checkLeftovers },
  { name: "pictures", run: checkPictures },
  { name: "webhook_allow", run: checkWebhooks },
  { name: "mail", run: checkMail },
  ...DATABASE_CHECKS,
];

export interface CheckOptions extends Pick<CheckContext, "config" | "now" | "network" | "isSampled"> {
  /** Fixes what is safe to fix, and checks it again. */
  isFixing: boolean;
  tell(check: string, done: number, total: number): void;
}

/** Runs every check (docs/contract.md#12.11). One that fails is a finding, and stops no other. */
export async function runChecks({ tell, ...options }: CheckOptions): Promise<Checkup> {
  const { config, now, isFixing } = options;
  const at = now();
  const { isServed, db, found, close } = openFolder(config, isFixing);
  const checked: Finding[] = found.map(withoutFix);
  if (isServed === undefined) return { at, checked };
  try {
    for (const check of CHECKS) {
      const progress = (done: number, total: number): void => tell(check.name, done, total);
      const context: CheckContext = { ...options, isServed, db, progress };
      progress(0, 1);
      const first = await runCheck(check, context);
      const mended = isFixing ? await mend(first) : [];
      const last = mended.length > 0 ? await runCheck(check, context) : first;
      checked.push(...mended, ...last.map(withoutFix));
    }
    return { at, checked };
  } finally {
    close();
  }
}

async function runCheck(check: Check, context: CheckContext): Promise<readonly FixableFinding[]> {
  try {
    return await check.run(context);
  } catch (error) {
    return [
      { check: check.name, severity: "severe", says: `this could not be looked at: ${messageOf(error)}` },
    ];
  }
}

/** What was done, one row for each. */
async function mend(found: readonly FixableFinding[]): Promise<Finding[]> {
  const done: Finding[] = [];
  for (const { check, fix } of found) {
    if (!fix) continue;
    try {
      done.push({ check, severity: "note", says: singleLine(await fix()) });
    } catch (error) {
      done.push({ check, severity: "warning", says: `this could not be mended: ${messageOf(error)}` });
    }
  }
  return done;
}

function withoutFix({ fix, ...checked }: FixableFinding): Finding {
  const { says, mend: mends } = checked;
  return { ...checked, says: singleLine(says), ...(mends !== undefined && { mend: singleLine(mends) }) };
}
