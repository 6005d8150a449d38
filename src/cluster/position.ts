import type { Core } from "../core/base/core.ts";
import type { Position } from "../core/base/db/lineage.ts";
import { readCookie } from "../http/cookie.ts";
import { isSecureOrigin } from "../http/secure-origin.ts";
import { readVersion, showVersion, type Version, VERSION_HEADER } from "./version.ts";

/** How far this node's database is: asked again only where something in it has changed. */
export function createPlace({ db }: Pick<Core, "db">): () => Position {
  let seen: { at: number; position: Position } | undefined;
  return () => {
    const at = db.version();
    if (seen?.at !== at) seen = { at, position: db.position() };
    return seen.position;
  };
}

/** What a client says that it has seen. */
export interface AskedVersion {
  /** Undefined for a text that is none. */
  version: Version | undefined;
  /** Whether it is a program, which says it in a header and is told where it is wrong; a browser has a cookie. */
  isTold: boolean;
}

/** A header is a program's own word, and stands before the cookie. */
export function askedVersion(headers: Headers, cookie: VersionCookie): AskedVersion | undefined {
  const told = headers.get(VERSION_HEADER);
  if (told !== null) return { version: readVersion(told), isTold: true };
  const kept = cookie.read(headers.get("cookie"));
  return kept === undefined ? undefined : { version: kept, isTold: false };
}

/** Where a browser keeps it. */
export interface VersionCookie {
  read(header: string | null): Version | undefined;
  set(version: Version): string;
}

/** Which node is how far behind is told in seconds or minutes; by tomorrow any has what was seen today. */
const KEPT_SECONDS = 24 * 3600;

export function versionCookie(origin: string): VersionCookie {
  const isSecure = isSecureOrigin(origin);
  const name = `${isSecure ? "__Host-" : ""}guildhall-version`;
  return {
    read(header) {
      const value = header === null ? undefined : readCookie(header, name, /^[0-9.]{3,30}$/);
      return value === undefined ? undefined : readVersion(value);
    },
    set: (version) =>
      `${name}=${showVersion(version)}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}; Max-Age=${KEPT_SECONDS}`,
  };
}
