import { constants, setPriority } from "node:os";

/** Lowers the priority of this process and its children. This cannot be undone. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // If the system does not allow this, the process keeps its priority.
  }
}
