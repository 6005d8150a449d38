import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "../../../src/config/config.ts";
import type { Finding, Severity } from "../../../src/core/services/checkup/checkup.ts";
import { runChecks, type CheckOptions } from "../../../src/operate/doctor/doctor.ts";
import type { Answer, Network, ShownCertificate } from "../../../src/operate/doctor/network.ts";
import { openDataFolder } from "../../../src/app/data-folder.ts";
import { lockFile } from "../../../src/operate/backup/file-lock.ts";
import { writeAddress } from "../../../src/operate/health/address.ts";
import { writeEmptyCommunity } from "../../support.ts";

/** A data folder with an empty community and no running server. */
export interface Fixture {
  data: string;
  config: Config;
  /** Runs all checks. `than` overrides options. */
  runChecks(than?: Partial<CheckOptions>): Promise<readonly Finding[]>;
  look(check: string, than?: Partial<CheckOptions>): Promise<readonly Finding[]>;
}

export function openFixture(variables: Record<string, string> = {}): Fixture & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-doctor-"));
  const data = join(folder, "data");
  const config = readConfig(variables, { data });
  writeEmptyCommunity(data);
  // Starts and closes once, to reach the state after a first start.
  openDataFolder(config, { busyMs: 0, mayCreate: false }).close();
  const all = async (than: Partial<CheckOptions> = {}): Promise<readonly Finding[]> => {
    const usual = {
      config,
      now: Date.now,
      network: offline(),
      isFixing: false,
      isSampled: false,
      onProgress() {},
    };
    return (await runChecks({ ...usual, ...than })).checked;
  };
  return {
    data,
    config,
    runChecks: all,
    look: async (check, than) => (await all(than)).filter((each) => each.check === check),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

/** A network in which only these URLs respond. */
export function offline(
  answers: Readonly<Record<string, Answer>> = {},
  { isSynchronised, shown }: { isSynchronised?: boolean | undefined; shown?: ShownCertificate } = {},
): Network & { asked: string[] } {
  const requests: string[] = [];
  return {
    asked: requests,
    get(url) {
      requests.push(url);
      return Promise.resolve(answers[url] ?? { code: "ECONNREFUSED", reason: "nobody is there" });
    },
    certificate: () => Promise.resolve(shown),
    isSynchronised: () => Promise.resolve(isSynchronised),
  };
}

/** An `expect` matcher for a finding with this severity and text. Without `fix`, any proposed fix matches. */
export function finding(check: string, severity: Severity, pattern: RegExp, fix?: RegExp): Finding {
  const expected = { check, severity, says: expect.stringMatching(pattern) as string };
  if (fix !== undefined) return { ...expected, mend: expect.stringMatching(fix) as string };
  return expect.objectContaining(expected) as Finding;
}

/** URL of the server in `servedFixture`. */
export const OWN = "http://127.0.0.1:8787";

/** A fixture whose folder a server seems to use. `answers` are by path of that server or by URL. */
export function servedFixture(variables: Record<string, string> = {}): Disposable & {
  look(
    check: string,
    answers: Readonly<Record<string, Partial<Answer>>>,
    than?: Partial<CheckOptions> & { shown?: ShownCertificate },
  ): Promise<readonly Finding[]>;
  data: string;
} {
  const fixture = openFixture(variables);
  const held = lockFile(join(fixture.data, "guildhall.lock"));
  writeAddress(fixture.data, OWN);
  return {
    data: fixture.data,
    look(check, answers, { shown, ...than } = {}) {
      const whole = Object.entries(answers).map(([at, answer]): [string, Answer] => [
        at.startsWith("/") ? OWN + at : at,
        { status: 200, text: "", date: undefined, ...answer },
      ]);
      return fixture.look(check, {
        network: offline(Object.fromEntries(whole), shown && { shown }),
        ...than,
      });
    },
    [Symbol.dispose]() {
      held?.release();
      fixture[Symbol.dispose]();
    },
  };
}
