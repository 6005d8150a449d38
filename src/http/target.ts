/** The target of a request, still encoded. Bun has already resolved dot segments and backslashes. */
export interface Target {
  path: string;
  query: string;
}

/** A host name or address with an optional port. Two Host lines arrive joined by a comma and do not match. */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Path and query of a request, or undefined where its Host line or its target is malformed. The Host decides
 * nothing else: Bun pastes it into `request.url` unchecked, and public links come from the configured origin.
 */
export function readTarget(request: Request): Target | undefined {
  const host = request.headers.get("host");
  if (host !== null && !HOST.test(host)) return undefined;
  const { url } = request;
  // Without a Host line (HTTP/1.0) Bun gives the bare path.
  const start = pathStart(url);
  if (start < 0 || url[start] !== "/") return undefined;
  const question = url.indexOf("?", start);
  if (question < 0) return { path: url.slice(start), query: "" };
  return { path: url.slice(start, question), query: url.slice(question + 1) };
}

/** Negative where a host is not followed by a path; 0 where there is no host. */
function pathStart(url: string): number {
  if (url.startsWith("http://")) return url.indexOf("/", "http://".length);
  return url.startsWith("https://") ? url.indexOf("/", "https://".length) : 0;
}

/**
 * The request a router may see. Elysia takes for the path whatever follows the first slash from the eleventh
 * letter on, so a Host shorter than four letters, or none at all, would shift the path: such a request gets a
 * plain host first.
 */
export function routableRequest(request: Request, { path, query }: Target, method: string): Request {
  const hasPlainHost = pathStart(request.url) >= 11;
  if (hasPlainHost && request.method === method) return request;
  const url = `http://guildhall.invalid${path}${query === "" ? "" : `?${query}`}`;
  return new Request(url, { method, headers: request.headers, body: method === "GET" ? null : request.body });
}

/** The target as in the request line. */
export function wholeTarget({ path, query }: Target): string {
  return query === "" ? path : `${path}?${query}`;
}
