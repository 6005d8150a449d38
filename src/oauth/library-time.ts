import type { Core } from "../core/core.ts";

/**
 * The library reads the machine's clock, the rest of the program the core's. They are the same in a running server; whatever goes
 * over is translated, so that there is one clock that decides.
 */
export function libraryNow(): number {
  return Math.floor(Date.now() / 1000);
}

/** Milliseconds of the core's clock → seconds of the library's. */
export function toLibraryTime(core: Core, ms: number): number {
  return libraryNow() + Math.ceil((ms - core.clock.now()) / 1000);
}
