import type { Checked, Checkup, Finding } from "../core/across/checkup/checkup.ts";
import { lookAtDisk } from "./disk.ts";
import type { Look, Patient } from "./patient.ts";
import { lookAtSchema } from "./schema.ts";

/** All that is looked at, in this order. */
const LOOKS: readonly Look[] = [
  { name: "disk", at: lookAtDisk },
  { name: "schema", at: lookAtSchema },
];

export interface ExamineOptions {
  /** Mends what is safe to mend, and looks there again. */
  isFixing: boolean;
  tell(look: string, done: number, total: number): void;
}

/** Looks at everything (docs/contract.md#12.11). A look that fails is a finding, and stops no other. */
export async function examine(
  patient: Omit<Patient, "progress">,
  { isFixing, tell }: ExamineOptions,
): Promise<Checkup> {
  const at = patient.now();
  const checked: Checked[] = [];
  for (const look of LOOKS) {
    const own = { ...patient, progress: (done: number, total: number) => tell(look.name, done, total) };
    own.progress(0, 1);
    const found = await lookOnce(look, own);
    const mended = isFixing ? await mend(found) : [];
    checked.push(...mended, ...(mended.length > 0 ? await lookOnce(look, own) : found).map(withoutFix));
  }
  return { at, checked };
}

async function lookOnce(look: Look, patient: Patient): Promise<readonly Finding[]> {
  try {
    return await look.at(patient);
  } catch (error) {
    return [{ check: look.name, severity: "severe", says: inWords(error) }];
  }
}

/** What was done, one row for each. */
async function mend(found: readonly Finding[]): Promise<Checked[]> {
  const done: Checked[] = [];
  for (const { check, fix } of found) {
    if (!fix) continue;
    try {
      done.push({ check, severity: "note", says: await fix() });
    } catch (error) {
      done.push({ check, severity: "warning", says: `could not be mended: ${inWords(error)}` });
    }
  }
  return done;
}

function withoutFix({ fix, ...checked }: Finding): Checked {
  return checked;
}

function inWords(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
