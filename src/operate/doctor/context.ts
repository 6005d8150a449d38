import type { Config } from "../../config/config.ts";
import type { CheckResult } from "../../core/services/checkup/checkup.ts";
import type { Db } from "../../core/base/db/open.ts";
import type { Network } from "./network.ts";

/** What the checks are about: a data folder with its settings. A server may run on it. */
export interface CheckContext {
  readonly config: Config;
  now(): number;
  /** Whether a server holds the folder. */
  readonly isServed: boolean;
  /** Undefined where it does not open, or is not of this program's version. Read only, unless `isFixing`. */
  readonly db: Db | undefined;
  readonly isFixing: boolean;
  /** Whether long checks cover only tonight's part: all parts have their turn within a week. */
  readonly isSampled: boolean;
  readonly network: Network;
  /** How far a long check is. */
  progress(done: number, total: number): void;
}

/** Checks one thing, or a few that belong together. */
export type Check = (context: CheckContext) => CheckResult | Promise<CheckResult>;
