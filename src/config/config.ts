/** Public interface of src/config, the operator's settings. */
export { ConfigError } from "./file.ts";
export { type Config, readConfig, readOrigin } from "./read.ts";
export { createReloadableConfig, type Reloaded, applyConfig } from "./reload.ts";
