import type { Config } from "../../config/config.ts";
import type { CheckResult } from "../../core/services/checkup/checkup.ts";
import type { Db } from "../../core/base/db/open.ts";
import type { Network } from "./network.ts";

/** Input of the checks: a data folder and its settings. A server may be running on the folder. */
export interface CheckContext {
  readonly config: Config;
  now(): number;
  /** Whether a server holds the folder. */
  readonly isServed: boolean;
  /**
   * Undefined if the database cannot be opened or has another schema version. Read-only, unless `isFixing`.
   */
  readonly db: Db | undefined;
  readonly isFixing: boolean;
  /** Whether long checks cover only this night's part. All parts are checked within a week. */
  readonly isSampled: boolean;
  readonly network: Network;
  progress(done: number, total: number): void;
}

export type Check = (context: CheckContext) => CheckResult | Promise<CheckResult>;
