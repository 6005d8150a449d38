import { existsSync } from "node:fs";

/**
 * Returns a path that does not exist yet, because two files of the same second must not overwrite each other.
 */
export function freeName(path: string): string {
  let free = path;
  for (let count = 2; existsSync(free); count++) free = `${path}-${count}`;
  return free;
}
