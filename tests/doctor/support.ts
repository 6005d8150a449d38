import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../../src/config.ts";
import type { Checked } from "../../src/core/across/checkup/checkup.ts";
import { examine } from "../../src/doctor/doctor.ts";
import type { Patient } from "../../src/doctor/patient.ts";
import { openGround } from "../../src/ground.ts";

/** A data folder with an empty community, on which no server works. */
export interface Ward {
  data: string;
  config: Config;
  /** All that a doctor says of it. `than`: what is otherwise with the one who is looked at. */
  examine(than?: Partial<Patient>, isFixing?: boolean): Promise<readonly Checked[]>;
  /** What it says of one thing. */
  look(check: string, than?: Partial<Patient>): Promise<readonly Checked[]>;
}

export function openWard(variables: Record<string, string> = {}): Ward & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-doctor-"));
  const data = join(folder, "data");
  const config = readConfig(variables, { data });
  openGround(config, { busyMs: 0, mayCreate: true }).close();
  const all = async (than: Partial<Patient> = {}, isFixing = false): Promise<readonly Checked[]> => {
    const patient = { config, now: Date.now, isServed: false, ...than };
    return (await examine(patient, { isFixing, tell() {} })).checked;
  };
  return {
    data,
    config,
    examine: all,
    look: async (check, than) => (await all(than)).filter((each) => each.check === check),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
