/** What the operator decides. src/settings says each setting once; this is its door. */
export { ConfigError } from "./settings/file.ts";
export { type Config, readConfig, readOrigin } from "./settings/read.ts";
export { holdConfig, type Reloaded, takeOver } from "./settings/reload.ts";
