import { existsSync } from "node:fs";

/**
 * Returns the path, with a number appended if the path exists. Two files that were named in the same second
 * must not overwrite each other.
 */
export function freeName(path: string): string {
  let free = path;
  for (let count = 2; existsSync(free); count++) free = `${path}-${count}`;
  return free;
}
