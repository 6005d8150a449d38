import pkg from "../../package.json" with { type: "json" };

export const VERSION: string = pkg.version;
/** The Bun this program is built and tested with: others differ in ways that the suite has not seen. */
export const BUN_VERSION: string = pkg.engines.bun;
