import { openSession } from "../src/core/identity/accounts/sessions.ts";
import type { Core } from "../src/core/base/core.ts";
import { cookieJar } from "../src/web/request/cookies.ts";

/** Signs in the first members, `most` at most, and returns the session cookie of each. */
export function sessionCookies(core: Core, most: number): { name: string; value: string }[] {
  const builders = core.db.prepare<{ id: string }>(`SELECT id FROM builders LIMIT ${most}`).all();
  return builders.map(({ id }, index) => {
    const whence = { address: `192.0.2.${index & 255}`, agent: "bench", device: undefined };
    const { secret } = core.db.transact(() => openSession(core, id, whence));
    return { name: cookieJar(core.origin).session, value: secret };
  });
}

/** Returns the id of the first row that the statement selects. */
export function idOf(core: Core, sql: string): string {
  return core.db.prepare<{ id: string }>(sql).get()?.id ?? "";
}
