import { homedir } from "node:os";
import { join } from "node:path";

/** What is compared with, in the versions that were measured. PostgreSQL is taken as the machine has it. */
export const VERSIONS = {
  /** The newest that Go 1.26 builds: 0.40 asks for 1.27. */
  pocketbase: "v0.36.8",
  postgraphile: "5.1.5",
  /** PostGraphile 5 asks for 22 or later, which a stable Debian does not have yet. */
  node: "22.23.3",
} as const;

/** Outside the repository, and kept: what has been fetched once is not fetched again. */
export function cacheFolder(name: keyof typeof VERSIONS): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "guildhall-peers", `${name}-${VERSIONS[name]}`);
}
