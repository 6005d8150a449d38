/** Target of a request, still percent-encoded. Bun has already resolved dot segments and backslashes. */
export interface Target {
  path: string;
  query: string;
}

/**
 * A host name or IP address, with an optional port. Bun joins two Host headers with a comma, so two Host
 * headers do not match.
 */
const HOST = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/**
 * Returns path and query. Returns `undefined` if the Host header or the target is malformed. The Host header
 * is not used otherwise. Bun copies the header unchecked into `request.url`, so public links use the
 * configured origin.
 */
export function readTarget(request: Request): Target | undefined {
  const host = request.headers.get("host");
  if (host !== null && !HOST.test(host)) return undefined;
  const { url } = request;
  // Without a Host header (HTTP/1.0), `url` is only the path.
  const start = pathStart(url);
  if (start < 0 || url[start] !== "/") return undefined;
  const question = url.indexOf("?", start);
  if (question < 0) return { path: url.slice(start), query: "" };
  return { path: url.slice(start, question), query: url.slice(question + 1) };
}

/**
 * Returns the index of the path in a URL. Returns a negative number if the URL has no path, and 0 if the URL
 * has no host.
 */
function pathStart(url: string): number {
  if (url.startsWith("http://")) return url.indexOf("/", "http://".length);
  return url.startsWith("https://") ? url.indexOf("/", "https://".length) : 0;
}

/**
 * Returns a request that Elysia routes correctly. Elysia searches for the first slash of the path from index
 * 11 of the URL. With no host, or a host of fewer than four characters, Elysia would find the wrong slash.
 * Such a request gets a placeholder host.
 */
export function routableRequest(request: Request, { path, query }: Target, method: string): Request {
  const hasPlainHost = pathStart(request.url) >= 11;
  if (hasPlainHost && request.method === method) return request;
  const url = `http://guildhall.invalid${path}${query === "" ? "" : `?${query}`}`;
  return new Request(url, { method, headers: request.headers, body: method === "GET" ? null : request.body });
}

/** Returns the target as a client sends it in the request line. */
export function targetText({ path, query }: Target): string {
  return query === "" ? path : `${path}?${query}`;
}
