import type { Core } from "../core/base/core.ts";
import type { Position } from "../core/base/db/lineage.ts";
import { readCookie } from "../http/cookie.ts";
import { isSecureOrigin } from "../http/secure-origin.ts";
import { VERSION_COOKIE_SECONDS, versionCookieName } from "../http/version-cookie.ts";
import { readVersion, formatVersion, type Version, VERSION_HEADER } from "./version.ts";

/**
 * Returns a function that reads this database's position. The function queries the database again only after
 * a change.
 */
export function createPositionReader({ db }: Pick<Core, "db">): () => Position {
  let cached: { at: number; position: Position } | undefined;
  return () => {
    const at = db.version();
    if (cached?.at !== at) cached = { at, position: db.position() };
    return cached.position;
  };
}

/** Version that a client says it has seen. */
export interface RequiredVersion {
  /** Undefined if the text is not a version. */
  version: Version | undefined;
  /**
   * True if the version is from the header. A program then requires at least this version, and otherwise gets
   * an error. False if the version is from a browser's cookie.
   */
  isRequired: boolean;
}

/** Reads the version from the header, or else from the cookie. */
export function requiredVersion(headers: Headers, cookie: VersionCookie): RequiredVersion | undefined {
  const required = headers.get(VERSION_HEADER);
  if (required !== null) return { version: readVersion(required), isRequired: true };
  const cookieVersion = cookie.read(headers.get("cookie"));
  return cookieVersion === undefined ? undefined : { version: cookieVersion, isRequired: false };
}

/** Cookie in which a browser keeps the version that it has seen. */
export interface VersionCookie {
  read(header: string | null): Version | undefined;
  set(version: Version): string;
}

export function versionCookie(origin: string): VersionCookie {
  const isSecure = isSecureOrigin(origin);
  const name = versionCookieName(origin);
  return {
    read(header) {
      const value = header === null ? undefined : readCookie(header, name, /^[0-9.]{3,30}$/);
      return value === undefined ? undefined : readVersion(value);
    },
    set: (version) =>
      `${name}=${formatVersion(version)}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}; Max-Age=${VERSION_COOKIE_SECONDS}`,
  };
}
