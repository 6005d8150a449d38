import { constants, setPriority } from "node:os";

/**
 * Lets everything else on the machine go first. A process cannot take that back, nor can those that it
 * starts.
 */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A system that forbids it.
  }
}
