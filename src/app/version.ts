import pkg from "../../package.json" with { type: "json" };

export const VERSION: string = pkg.version;
/** The Bun version that builds and tests this program. Other versions are untested. */
export const BUN_VERSION: string = pkg.engines.bun;
