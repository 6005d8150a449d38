import { SESSION_MAX_MS } from "../core/identity/accounts/sessions.ts";
import type { Core } from "../core/ground/core.ts";

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

/**
 * When somebody signed in, as the library is told it. Where the clock was set back since, nobody knows how long ago that was: as long as
 * can be, so that who wants it done anew (`prompt=login`, `max_age`) is not content with it.
 */
export function toSignInTime(core: Core, signedInAt: number): number {
  const now = core.clock.now();
  return toLibraryTime(core, signedInAt <= now ? signedInAt : now - SESSION_MAX_MS);
}
