import { existsSync } from "node:fs";

/** A path at which there is nothing yet: two that are made in one second must not take each other's place. */
export function freeName(path: string): string {
  let free = path;
  for (let count = 2; existsSync(free); count++) free = `${path}-${count}`;
  return free;
}
