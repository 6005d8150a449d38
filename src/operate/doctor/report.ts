import { type Finding, type Checkup, SEVERITIES } from "../../core/services/checkup/checkup.ts";

/** What `guildhall doctor --json` prints; undefined for anything else. */
export function readCheckup(text: string): Checkup | undefined {
  try {
    const checkup: unknown = JSON.parse(text);
    return isCheckup(checkup) ? checkup : undefined;
  } catch {
    return undefined;
  }
}

function isCheckup(value: unknown): value is Checkup {
  const { at, checked } = (value ?? {}) as Partial<Checkup>;
  return typeof at === "number" && Array.isArray(checked) && checked.every(isChecked);
}

function isChecked(value: unknown): value is Finding {
  const { check, severity, says, mend } = (value ?? {}) as Partial<Finding>;
  const isMend = mend === undefined || typeof mend === "string";
  return (
    typeof check === "string" &&
    typeof says === "string" &&
    isMend &&
    SEVERITIES.some((known) => known === severity)
  );
}
