import { BudgetError } from "./programs.ts";
import type { RequestRow } from "./limits.ts";

export interface Request {
  path: string;
  headers: () => Record<string, string>;
  /** The body of a POST. Without a body, the request is a GET. */
  body?: string;
  /** Requests per burst. A burst takes about 8 ms of CPU. */
  times: number;
  connections: number;
}

export type Requests = Record<RequestRow, Request>;

const QUERY = `query Feed($first: Int!) {
  feed(first: $first) {
    edges { cursor node { id text tags createdAt author { id username name } metrics { likes replies } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const POST = {
  text: "The nightly export runs in a queue now. It takes 40 seconds instead of 9 minutes, and a page that fails no longer stops the others.",
  tags: ["rust", "queues"],
};

/** Signs the members in and returns the requests for one server. */
export async function requestsOf(
  url: string,
  { token, members, password }: { token: string; members: readonly string[]; password: string },
): Promise<Requests> {
  const api = { authorization: `Bearer ${token}`, "accept-encoding": "identity" };
  const headers = () => api;
  const json = () => ({ ...api, "content-type": "application/json" });
  const feed = await (await fetch(`${url}/v1/feed`, { headers: api })).json();
  const cookies: string[] = [];
  for (const username of members) cookies.push(await signIn(url, username, password));
  let requestCount = 0;
  const browser = () => ({
    accept: "text/html",
    "accept-encoding": "identity",
    cookie: cookies[requestCount++ % cookies.length] ?? "",
  });
  const query = JSON.stringify({ query: QUERY, variables: { first: 20 } });
  return {
    feed: { path: "/v1/feed", headers, times: 40, connections: 4 },
    tag: { path: "/v1/feed?tag=rust", headers, times: 40, connections: 4 },
    "one post": { path: `/v1/feed/${feed.data[0].id}`, headers, times: 80, connections: 4 },
    "job search": { path: "/v1/jobs?q=engineer&remote=true", headers, times: 8, connections: 4 },
    "GraphQL page": { path: "/graphql", headers: json, body: query, times: 16, connections: 4 },
    "member's front page": { path: "/", headers: browser, times: 4, connections: 2 },
    // Uses one connection, because with several connections the number of writes per commit would be random.
    create: { path: "/v1/feed", headers: json, body: JSON.stringify(POST), times: 8, connections: 1 },
  };
}

/** Sends a request `times` times. Throws if a response is not 2xx. */
export async function burst(
  url: string,
  { path, headers, body, times, connections }: Request,
): Promise<void> {
  let left = times;
  const send = async (): Promise<void> => {
    while (left-- > 0) {
      const post = body === undefined ? {} : { method: "POST", body };
      const answer = await fetch(url + path, { headers: headers(), ...post });
      await answer.arrayBuffer();
      if (!answer.ok) throw new BudgetError(`${path} answers ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
}

/** Returns the size of the front page for a guest, in bytes. */
export async function pageBytes(url: string): Promise<number> {
  const answer = await fetch(`${url}/`, { headers: { accept: "text/html" } });
  return (await answer.bytes()).length;
}

/** Signs in through the form, as a browser does, and returns the session cookie. */
async function signIn(url: string, username: string, password: string): Promise<string> {
  const form = await fetch(`${url}/sign-in`);
  const token = /name="form_token" value="([^"]+)"/.exec(await form.text())?.[1] ?? "";
  const answer = await fetch(`${url}/sign-in`, {
    method: "POST",
    headers: { origin: "http://127.0.0.1", "sec-fetch-site": "same-origin", cookie: cookieOf(form) },
    body: new URLSearchParams({ form_token: token, username, password, next: "/" }),
    redirect: "manual",
  });
  if (answer.status !== 303) throw new BudgetError(`a sign-in answers ${answer.status}`);
  return cookieOf(answer);
}

function cookieOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
