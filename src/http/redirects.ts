import { readTarget } from "./target.ts";

/** The path of HTTP challenges of a certificate authority (RFC 8555 §8.3). */
const CHALLENGES = "/.well-known/acme-challenge/";
/** The operator may change the setting, so browsers ask again after an hour. */
const KEPT = "max-age=3600";
const FIRST_SECONDS = 60;

export interface Redirects {
  /** What is said to who asks for this token; undefined for strangers. */
  answer(token: string): string | undefined;
  /** Whether a browser that is sent there would believe what it is shown. */
  isReady(): boolean;
}

/**
 * Port 80: sends readers to the origin, whatever Host they name, and answers an authority. It knows no token
 * and reads no body: what would have to carry one is refused, so that whoever sent a token in clear is told
 * (docs/threats.md#M16).
 */
export function createRedirects(
  origin: string,
  { answer, isReady }: Redirects,
): (request: Request) => Response {
  return (request) => {
    const target = readTarget(request);
    if (!target) return words(400, "The Host header or the request target is malformed.");
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead || request.headers.has("authorization")) {
      return words(
        403,
        `This port only redirects to HTTPS. Send this request to ${origin}. It was not encrypted, so revoke any token that it contained.`,
      );
    }
    const { path, query } = target;
    if (path.startsWith(CHALLENGES)) {
      const said = answer(path.slice(CHALLENGES.length));
      return said === undefined ? words(404, "There is no open challenge with this name.") : words(200, said);
    }
    if (!isReady()) {
      return words(503, `The server is getting a certificate for ${origin}. Try again in a minute.`, {
        "retry-after": String(FIRST_SECONDS),
      });
    }
    const location = `${origin}${path}${query === "" ? "" : `?${query}`}`;
    return words(308, `See ${location}`, { location, "cache-control": KEPT });
  };
}

function words(status: number, text: string, headers: Record<string, string> = {}): Response {
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
