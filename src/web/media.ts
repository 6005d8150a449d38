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
/** A token with this scope reads the posts that show pictures. */
const SCOPE = "feed:read";
const IDENTICON = /^\/crests\/([a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?)\.svg$/;
/** A new version may draw identicons differently, so they are not cached forever. */
const A_DAY = "public, max-age=86400";
const ADDRESS = /^\/media\/([0-9a-f]{40})-(\d{1,4})\.webp$/;
/** The path names the content, so it never changes. */
const FOR_GOOD = "public, max-age=31536000, immutable";
const CACHED = {
  all: FOR_GOOD,
  // Asked for again each time: whoever signs out sees it no more.
  members: "private, no-cache",
  you: "private, no-store",
};

/** Should a browser ever take a picture for a page, it may do nothing at all there. */
const HARMLESS = {
  "content-type": "image/webp",
  "content-security-policy": "default-src 'none'; sandbox",
  // Front ends of others show them, too.
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Serves the pictures that members have sent (docs/contract.md#4.21). A page has many of them: they are not
 * counted. The caller is known by a session, or by a token with `feed:read`.
 */
export function mediaTransport(
  core: Core,
  personOf: (context: RequestContext) => Person | undefined,
): Transport {
  return {
    prefix: PREFIX,
    way: "pages",
    isCounted: false,
    async handle(context) {
      const [, hash, width] = (context.method === "GET" && ADDRESS.exec(context.path)) || [];
      if (hash === undefined) throw refuse("nothing_here");
      context.route = `${PREFIX}/:file`;
      // Nobody is looked up for what everybody sees.
      const sight =
        pictureAudience(core, undefined, hash) ?? pictureAudience(core, await readerOf(context), hash);
      const file = sight && (await pictureStorageOf(core).find(hash, Number(width)));
      if (!file) throw refuse("nothing_here");
      const etag = `"${hash}-${width}"`;
      const headers = {
        ...context.headers,
        ...HARMLESS,
        etag,
        "cache-control": CACHED[sight],
      };
      const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
      if (known !== undefined)
        return new Response(null, { status: 304, headers: { ...headers, etag: known } });
      context.answerBytes = file.size;
      return new Response(file, { headers });
    },
  };

  /** The session comes first: a proxy may add credentials of its own to whatever a browser sends. */
  async function readerOf(context: RequestContext): Promise<Caller | undefined> {
    const person = personOf(context);
    if (person) return person.caller;
    const caller = await context.callerNow();
    if (!caller?.scopes.has(SCOPE)) return undefined;
    // Its owner sees that the token needs the scope.
    requireScope(caller, SCOPE);
    return caller;
  }
}

/** Identicons for other sites. Every username has one, so none is looked up. */
export function identiconTransport(): Transport {
  return {
    prefix: "/crests",
    way: "pages",
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
