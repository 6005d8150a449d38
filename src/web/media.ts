import { pictureAudience } from "../core/community/media/media.ts";
import { pictureStorageOf } from "../core/community/media/picture-storage.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import { matchingEtag } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";
import type { Transport } from "../http/transport.ts";
import { identiconFile } from "./identicon.ts";
import type { Person } from "./request/route.ts";

const PREFIX = "/media";
/** The scope that a token needs to read pictures. */
const SCOPE = "feed:read";
const IDENTICON = /^\/crests\/([a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?)\.svg$/;
/** A new version may draw identicons differently, so they are not cached forever. */
const A_DAY = "public, max-age=86400";
const ADDRESS = /^\/media\/([0-9a-f]{40})-(\d{1,4})\.webp$/;
/** The path contains a hash of the content, so the content of a path never changes. */
const CACHE_FOREVER = "public, max-age=31536000, immutable";
const CACHED = {
  all: CACHE_FOREVER,
  // Browsers revalidate the picture each time, so that they no longer show it after sign-out.
  members: "private, no-cache",
  you: "private, no-store",
};

/** If a browser opens a picture as a page, the page must not run or load anything. */
const HARMLESS = {
  "content-type": "image/webp",
  "content-security-policy": "default-src 'none'; sandbox",
  // Front ends on other origins show the pictures, too.
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Serves pictures of members (docs/contract.md#4.21). A page has many pictures, so these requests do not
 * count for the rate limit. A session or a token with `feed:read` identifies the caller.
 */
export function mediaTransport(
  core: Core,
  personOf: (context: RequestContext) => Person | undefined,
): Transport {
  return {
    prefix: PREFIX,
    transportName: "pages",
    isCounted: false,
    async handle(context) {
      const [, hash, width] = (context.method === "GET" && ADDRESS.exec(context.path)) || [];
      if (hash === undefined) throw refuse("nothing_here");
      context.route = `${PREFIX}/:file`;
      // A public picture needs no caller.
      const audience =
        pictureAudience(core, undefined, hash) ?? pictureAudience(core, await readerOf(context), hash);
      const file = audience && (await pictureStorageOf(core).find(hash, Number(width)));
      if (!file) throw refuse("nothing_here");
      const etag = `"${hash}-${width}"`;
      const headers = {
        ...context.headers,
        ...HARMLESS,
        etag,
        "cache-control": CACHED[audience],
      };
      const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
      if (known !== undefined)
        return new Response(null, { status: 304, headers: { ...headers, etag: known } });
      context.answerBytes = file.size;
      return new Response(file, { headers });
    },
  };

  /** The session comes first, because a proxy may add its own credentials to the requests of a browser. */
  async function readerOf(context: RequestContext): Promise<Caller | undefined> {
    const person = personOf(context);
    if (person) return person.caller;
    const caller = await context.callerNow();
    if (!caller?.scopes.has(SCOPE)) return undefined;
    // Records that the token used the scope.
    requireScope(caller, SCOPE);
    return caller;
  }
}

/** Serves identicons to other sites. Every username has an identicon, so no account is looked up. */
export function identiconTransport(): Transport {
  return {
    prefix: "/crests",
    transportName: "pages",
    isCounted: false,
    handle(context) {
      const [, username] = (context.method === "GET" && IDENTICON.exec(context.path)) || [];
      if (username === undefined) throw refuse("nothing_here");
      context.route = "/crests/:file";
      const drawn = identiconFile(username);
      context.answerBytes = drawn.length;
      return new Response(drawn, {
        headers: {
          ...context.headers,
          ...HARMLESS,
          "content-type": "image/svg+xml",
          "cache-control": A_DAY,
        },
      });
    },
  };
}
