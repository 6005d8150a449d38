/** What the operator decides. src/config says each setting once; this is its door. */
export { ConfigError } from "./file.ts";
export { type Config, readConfig, readOrigin } from "./read.ts";
export { createReloadableConfig, type Reloaded, applyConfig } from "./reload.ts";
