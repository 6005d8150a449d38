import { readTarget } from "./target.ts";

/** Path of the HTTP challenges that a certificate authority requests (RFC 8555 §8.3). */
const CHALLENGES = "/.well-known/acme-challenge/";
/** How long browsers keep a redirect. One hour, because the operator may change the setting. */
const CACHE_CONTROL = "max-age=3600";
const FIRST_SECONDS = 60;

export interface Redirects {
  /** Returns the response to a certificate challenge. Returns `undefined` for an unknown token. */
  answer(token: string): string | undefined;
  /** Whether the server has a certificate that browsers trust. */
  isReady(): boolean;
}

/**
 * Creates the handler of port 80. It redirects GET and HEAD requests to the origin, whatever their Host
 * header. It also answers challenges of a certificate authority. Other methods and requests with credentials
 * are refused, so that a client learns that it sent a token unencrypted (docs/threats.md#M16).
 */
export function createRedirects(
  origin: string,
  { answer, isReady }: Redirects,
): (request: Request) => Response {
  return (request) => {
    const target = readTarget(request);
    if (!target) return textResponse(400, "The Host header or the request target is malformed.");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.headers.has("authorization")) {
      return textResponse(
        403,
        `This port only redirects to HTTPS. Send this request to ${origin}. It was not encrypted, so revoke any token that it contained.`,
      );
    }
    const { path, query } = target;
    if (path.startsWith(CHALLENGES)) {
      const response = answer(path.slice(CHALLENGES.length));
      return response === undefined
        ? textResponse(404, "There is no open challenge with this name.")
        : textResponse(200, response);
    }
    if (!isReady()) {
      return textResponse(503, `The server is getting a certificate for ${origin}. Try again in a minute.`, {
        "retry-after": String(FIRST_SECONDS),
      });
    }
    const location = `${origin}${path}${query === "" ? "" : `?${query}`}`;
    return textResponse(308, `See ${location}`, { location, "cache-control": CACHE_CONTROL });
  };
}

function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(status === 200 ? text : `${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
}
