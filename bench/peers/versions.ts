import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The versions of the programs that benches install: the peers and Lighthouse. PostgreSQL is the version that
 * the machine has installed.
 */
export const VERSIONS = {
  /** The newest version that Go 1.26 can build. Version 0.40 needs Go 1.27. */
  pocketbase: "v0.36.8",
  postgraphile: "5.1.5",
  /** PostGraphile 5 needs Node.js 22 or later, which stable Debian does not have yet. */
  node: "22.23.3",
  lighthouse: "13.5.0",
} as const;

/** Returns a folder outside the repository that is kept, so that nothing is downloaded twice. */
export function cacheFolder(name: keyof typeof VERSIONS): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "guildhall-peers", `${name}-${VERSIONS[name]}`);
}
