import { constants, setPriority } from "node:os";

/** Lowers the priority of this process and its children. This cannot be undone. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // The system forbids it.
  }
}
