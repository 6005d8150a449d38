import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../../../src/config/config.ts";
import type { Checked, Severity } from "../../../src/core/services/checkup/checkup.ts";
import { examine, type ExamineOptions } from "../../../src/operate/doctor/doctor.ts";
import type { Answer, Outside, Shown } from "../../../src/operate/doctor/network.ts";
import { openGround } from "../../../src/app/data-folder.ts";
import { hold } from "../../../src/operate/backup/hold.ts";
import { tellAddress } from "../../../src/operate/health/address.ts";

/** A data folder with an empty community, on which no server works. */
export interface Ward {
  data: string;
  config: Config;
  /** All that a doctor says of it. `than`: what is otherwise with the one who is looked at. */
  examine(than?: Partial<ExamineOptions>): Promise<readonly Checked[]>;
  /** What it says of one thing. */
  look(check: string, than?: Partial<ExamineOptions>): Promise<readonly Checked[]>;
}

export function openWard(variables: Record<string, string> = {}): Ward & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-doctor-"));
  const data = join(folder, "data");
  const config = readConfig(variables, { data });
  openGround(config, { busyMs: 0, mayCreate: true }).close();
  const all = async (than: Partial<ExamineOptions> = {}): Promise<readonly Checked[]> => {
    const usual = { config, now: Date.now, outside: nobody(), isFixing: false, isSampled: false, tell() {} };
    return (await examine({ ...usual, ...than })).checked;
  };
  return {
    data,
    config,
    examine: all,
    look: async (check, than) => (await all(than)).filter((each) => each.check === check),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A world in which these addresses answer, and no other does. */
export function nobody(
  answers: Readonly<Record<string, Answer>> = {},
  { isSynchronised, shown }: { isSynchronised?: boolean | undefined; shown?: Shown } = {},
): Outside & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    get(url) {
      asked.push(url);
      return Promise.resolve(answers[url] ?? { code: "ECONNREFUSED", says: "nobody is there" });
    },
    certificate: () => Promise.resolve(shown),
    isSynchronised: () => Promise.resolve(isSynchronised),
  };
}

/** For `expect`: one finding of that severity, with these words, and something that mends it unless all is well. */
export function finding(check: string, severity: Severity, says: RegExp, mend?: RegExp): Checked {
  const told = { check, severity, says: expect.stringMatching(says) as string };
  if (mend !== undefined) return { ...told, mend: expect.stringMatching(mend) as string };
  return expect.objectContaining(told) as Checked;
}

/** Where the server of `servedWard` says that it is. */
export const OWN = "http://127.0.0.1:8787";

/** As if a server held the folder, and it and others answered so. Paths are of that server. */
export function servedWard(variables: Record<string, string> = {}): Disposable & {
  look(
    check: string,
    answers: Readonly<Record<string, Partial<Answer>>>,
    than?: Partial<ExamineOptions> & { shown?: Shown },
  ): Promise<readonly Checked[]>;
  data: string;
} {
  const ward = openWard(variables);
  const held = hold(join(ward.data, "guildhall.lock"));
  tellAddress(ward.data, OWN);
  return {
    data: ward.data,
    look(check, answers, { shown, ...than } = {}) {
      const whole = Object.entries(answers).map(([at, answer]): [string, Answer] => [
        at.startsWith("/") ? OWN + at : at,
        { status: 200, text: "", date: undefined, ...answer },
      ]);
      return ward.look(check, { outside: nobody(Object.fromEntries(whole), shown && { shown }), ...than });
    },
    [Symbol.dispose]() {
      held?.release();
      ward[Symbol.dispose]();
    },
  };
}
