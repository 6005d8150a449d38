import type { Checked, Checkup, Finding } from "../../core/services/checkup/checkup.ts";
import { admit } from "./data-folder.ts";
import { lookAtBackups } from "./backups.ts";
import { lookAtCertificates } from "./certificates.ts";
import { lookAtClock } from "./clock.ts";
import { DATABASE_LOOKS } from "./database.ts";
import { lookAtDisk, lookAtTemporary } from "./disk.ts";
import { lookAtPictures } from "./pictures.ts";
import { lookAtLead } from "./lead.ts";
import { lookAtLeftovers } from "./leftovers.ts";
import { lookAtMail } from "./mail.ts";
import { lookAtOrigin } from "./origin.ts";
import type { Look, Patient } from "./context.ts";
import { lookAtOwners, lookAtOwnRights, lookAtRights } from "./rights.ts";
import { lookAtServer } from "./server.ts";
import { lookAtWebhooks } from "./webhooks.ts";
import { lookAtReplica } from "./replica.ts";
import { inOneLine, inWords } from "./format.ts";
import { lookAtWriteAhead } from "./write-ahead.ts";

/** All that is looked at, in this order. */
const LOOKS: readonly Look[] = [
  { name: "server", at: lookAtServer },
  { name: "lead", at: lookAtLead },
  { name: "origin", at: lookAtOrigin },
  { name: "certificate", at: lookAtCertificates },
  { name: "clock", at: lookAtClock },
  { name: "disk", at: lookAtDisk },
  { name: "temporary_folder", at: lookAtTemporary },
  { name: "write_ahead_size", at: lookAtWriteAhead },
  { name: "backup", at: lookAtBackups },
  { name: "replica", at: lookAtReplica },
  { name: "rights", at: lookAtRights },
  { name: "owner", at: lookAtOwners },
  { name: "owner_rights", at: lookAtOwnRights },
  { name: "unfinished", at: lookAtLeftovers },
  { name: "pictures", at: lookAtPictures },
  { name: "webhook_allow", at: lookAtWebhooks },
  { name: "mail", at: lookAtMail },
  ...DATABASE_LOOKS,
];

export interface ExamineOptions extends Pick<Patient, "config" | "now" | "outside" | "isSampled"> {
  /** Mends what is safe to mend, and looks there again. */
  isFixing: boolean;
  tell(look: string, done: number, total: number): void;
}

/** Looks at everything (docs/contract.md#12.11). A look that fails is a finding, and stops no other. */
export async function examine({ tell, ...options }: ExamineOptions): Promise<Checkup> {
  const { config, now, isFixing } = options;
  const at = now();
  const { isServed, db, found, close } = admit(config, isFixing);
  const checked: Checked[] = found.map(withoutFix);
  if (isServed === undefined) return { at, checked };
  try {
    for (const look of LOOKS) {
      const progress = (done: number, total: number): void => tell(look.name, done, total);
      const patient: Patient = { ...options, isServed, db, progress };
      progress(0, 1);
      const first = await lookOnce(look, patient);
      const mended = isFixing ? await mend(first) : [];
      const last = mended.length > 0 ? await lookOnce(look, patient) : first;
      checked.push(...mended, ...last.map(withoutFix));
    }
    return { at, checked };
  } finally {
    close();
  }
}

async function lookOnce(look: Look, patient: Patient): Promise<readonly Finding[]> {
  try {
    return await look.at(patient);
  } catch (error) {
    return [{ check: look.name, severity: "severe", says: `this could not be looked at: ${inWords(error)}` }];
  }
}

/** What was done, one row for each. */
async function mend(found: readonly Finding[]): Promise<Checked[]> {
  const done: Checked[] = [];
  for (const { check, fix } of found) {
    if (!fix) continue;
    try {
      done.push({ check, severity: "note", says: inOneLine(await fix()) });
    } catch (error) {
      done.push({ check, severity: "warning", says: `this could not be mended: ${inWords(error)}` });
    }
  }
  return done;
}

function withoutFix({ fix, ...checked }: Finding): Checked {
  const { says, mend: mends } = checked;
  return { ...checked, says: inOneLine(says), ...(mends !== undefined && { mend: inOneLine(mends) }) };
}
