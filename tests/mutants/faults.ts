import { ACCESS } from "./access.ts";
import { CERTIFICATES } from "./certificates.ts";
import { CLUSTER } from "./cluster.ts";
import { COMMUNITY } from "./community.ts";
import { DOCTOR } from "./doctor.ts";
import type { Fault } from "./fault.ts";
import { MOVING } from "./moving.ts";
import { OUTBOX } from "./outbox.ts";
import { WIRE } from "./wire.ts";

/**
 * All planted faults. `bun run mutants` plants them one by one in a copy of the tree, and one of the fault's
 * tests must fail.
 */
export const FAULTS: readonly Fault[] = [
  ...ACCESS,
  ...CERTIFICATES,
  ...CLUSTER,
  ...COMMUNITY,
  ...DOCTOR,
  ...MOVING,
  ...OUTBOX,
  ...WIRE,
];
