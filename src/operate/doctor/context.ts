import type { Config } from "../../config/config.ts";
import type { Finding } from "../../core/services/checkup/checkup.ts";
import type { Db } from "../../core/base/db/open.ts";
import type { Outside } from "./network.ts";

/** What is looked at: a data folder, and what its settings say. A server may run on it. */
export interface Patient {
  readonly config: Config;
  now(): number;
  /** Whether a server holds the folder. */
  readonly isServed: boolean;
  /** Undefined where it does not open, or is not of this program's version. To be read only, unless `isFixing`. */
  readonly db: Db | undefined;
  readonly isFixing: boolean;
  /** Whether of what takes long only a part is looked at: another one each night, and all within a week. */
  readonly isSampled: boolean;
  /** What is asked over the network, each thing once. */
  readonly outside: Outside;
  /** Tells whoever waits how far a long look is. */
  progress(done: number, total: number): void;
}

/** One look at one thing, or at a few that belong together. */
export interface Look {
  /** What it is called where it fails, and while it goes on. */
  readonly name: string;
  at(patient: Patient): readonly Finding[] | Promise<readonly Finding[]>;
}
