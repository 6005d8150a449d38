import { quantile } from "./slope.ts";

export interface LoadTarget {
  url: string;
  /** Tokens with rate limits that no run reaches, each of a different account. */
  tokens: readonly string[];
  /** Accounts that sign in. If the list is empty, no sign-in is sent. */
  accounts: readonly { username: string; password: string }[];
  /** Number of guests that request pages, each from its own IP address. Default: 250. */
  strangers?: number;
}

/**
 * Result of one kind of request since the last call. Times are in milliseconds, from the scheduled time of
 * each request.
 */
export interface KindResult {
  requests: number;
  p50: number;
  p99: number;
}

export interface Load {
  kinds: readonly string[];
  results(): ReadonlyMap<string, KindResult>;
  /** Number of posts that were answered with 201. */
  posted(): number;
  /** Number of events that arrived over streams. */
  streamed(): number;
  requests(): number;
  /** Failures, one line each. */
  faults: readonly string[];
  stop(): Promise<void>;
}

/** Requests per second of each kind, at a rate of 1. */
const PER_SECOND = { read: 12, write: 4, graphql: 4, page: 6, "sign-in": 0.2 };
const ABORTS_PER_SECOND = 2;
/** Number of open streams, half of them per API, and the time after which each is closed and opened again. */
const STREAMS = 8;
const STREAM_MS = { least: 20_000, most: 90_000 };
/**
 * Maximum number of requests of one kind in flight. Above it, the server counts as unresponsive and no
 * further request of this kind is sent.
 */
const UNDER_WAY_MAX = 200;
const ANSWER_MS = 30_000;
/** Number of newest posts that the load replies to, likes and opens. */
const RECENT = 500;

const QUERY = `{ feed(first: 20) { edges { node { id textHtml liked metrics { likes } author { username name } } } } jobs(first: 5) { edges { node { title company { name } } } } }`;
const SUBSCRIPTION = "subscription { postCreated { id text author { username } } }";

/**
 * Starts the load. Sends requests at a constant rate, whether or not earlier ones were answered, as
 * independent visitors do.
 */
export function beginLoad({ url, tokens, accounts, strangers = 250 }: LoadTarget, rate: number): Load {
  const faults: string[] = [];
  const recent: string[] = [];
  const times = new Map<string, number[]>();
  const underWay: Record<string, { now: number }> = {};
  const left = new AbortController();
  let [posted, streamed, requests, stopped] = [0, 0, 0, false];

  const works: Record<keyof typeof PER_SECOND, (n: number) => Promise<void>> = {
    read,
    write,
    graphql,
    page,
    "sign-in": signIn,
  };
  const kinds = Object.keys(PER_SECOND).filter((kind) => kind !== "sign-in" || accounts.length > 0);
  for (const kind of kinds) {
    const perSecond = PER_SECOND[kind as keyof typeof PER_SECOND];
    times.set(kind, []);
    evenly(perSecond * rate, (n, due) => measured(kind, n, due));
  }
  evenly(ABORTS_PER_SECOND * rate, abort);
  const streams = Array.from({ length: STREAMS }, (_, i) => stream(i));

  return {
    kinds,
    results: () =>
      new Map(
        [...times].map(([kind, of]) => {
          times.set(kind, []);
          return [kind, { requests: of.length, p50: quantile(of, 0.5), p99: quantile(of, 0.99) }];
        }),
      ),
    posted: () => posted,
    streamed: () => streamed,
    requests: () => requests,
    faults,
    async stop() {
      stopped = true;
      left.abort();
      await Promise.all(streams);
    },
  };

  function evenly(perSecond: number, work: (n: number, due: number) => void): void {
    const everyMs = 1000 / perSecond;
    let next = performance.now() + Math.random() * everyMs;
    let n = 0;
    const fire = (): void => {
      for (; next <= performance.now(); next += everyMs) work(n++, next);
      if (!stopped) setTimeout(fire, Math.max(0, next - performance.now()));
    };
    fire();
  }

  function measured(kind: string, n: number, due: number): void {
    const under = (underWay[kind] ??= { now: 0 });
    if (under.now >= UNDER_WAY_MAX) return void fault(kind, "the server stands");
    under.now++;
    void works[kind as keyof typeof works](n)
      .then(
        () => void times.get(kind)?.push(performance.now() - due),
        (error: unknown) => fault(kind, String(error)),
      )
      .finally(() => under.now--);
  }

  function fault(kind: string, text: string): void {
    if (!stopped) faults.push(`${new Date().toISOString()} ${kind}: ${text}`);
  }

  async function read(n: number): Promise<void> {
    const id = recent[n % Math.max(1, recent.length)];
    const paths = [
      "/feed",
      "/jobs?q=engineer",
      "/prompts",
      "/profiles/me",
      "/feed?limit=100",
      "/jobs",
      "/profiles/me/xp",
      ...(id ? [`/feed/${id}`] : []),
    ];
    await (await api(n, "GET", paths[n % paths.length] ?? "", 200)).arrayBuffer();
  }

  async function write(n: number): Promise<void> {
    const id = recent[(n * 7) % Math.max(1, recent.length)];
    if (n % 2 === 0 || !id) {
      const created = await api(n, "POST", "/feed", 201, {
        text: `The hive is well, day ${n}. ${"x".repeat(n % 700)}`,
        tags: ["bees"],
      });
      posted++;
      recent[posted % RECENT] = ((await created.json()) as { id: string }).id;
    } else if (n % 4 === 1)
      await (await api(n, "POST", `/feed/${id}/replies`, 201, { text: "Ours too." })).text();
    else await (await api(n, "PUT", `/feed/${id}/like`, [200, 204])).text();
  }

  async function graphql(n: number): Promise<void> {
    const answer = await request("/graphql", {
      method: "POST",
      headers: { ...bearer(n), "content-type": "application/json" },
      body: JSON.stringify({ query: QUERY }),
    });
    const { errors } = (await expected(answer, 200).json()) as { errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors).slice(0, 200));
  }

  async function page(n: number): Promise<void> {
    const id = recent[n % Math.max(1, recent.length)];
    const paths = ["/", "/jobs", "/prompts", "/sign-in", "/docs", ...(id ? [`/posts/${id}`] : [])];
    await expected(await request(paths[n % paths.length] ?? "", { headers: visitor(n) }), 200).text();
  }

  /** Signs in through the form, opens the account page and signs out. */
  async function signIn(n: number): Promise<void> {
    const account = accounts[n % accounts.length];
    const jar = new Map<string, string>();
    const step = async (path: string, fields?: Record<string, string>): Promise<string> => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await request(path, {
        method: fields ? "POST" : "GET",
        redirect: "manual",
        headers: { ...visitor(n), cookie, origin: url, "sec-fetch-site": "same-origin" },
        ...(fields && { body: new URLSearchParams(fields) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return await expected(answer, fields ? 303 : 200).text();
    };
    const form_token = tokenIn(await step("/sign-in"));
    await step("/sign-in", { ...account, form_token });
    await step("/sign-out", { form_token: tokenIn(await step("/settings/account")) });
  }

  /** Disconnects in the middle of the request headers, the body, the response, or an idle connection. */
  function abort(n: number): void {
    requests++;
    const { hostname, port } = new URL(url);
    const head = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${tokens[n % tokens.length]}\r\n`;
    const beginnings = [
      `GET /v1/feed HTTP/1.1\r\nHost: ${hostname}`,
      `POST /v1/feed HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text"`,
      `GET /v1/feed?limit=100 HTTP/1.1\r\n${head}\r\n`,
      `GET / HTTP/1.1\r\n${head}\r\n`,
      "",
    ];
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open(socket) {
          socket.write(beginnings[n % beginnings.length] ?? "");
          setTimeout(() => socket.terminate(), (n % 4) * 5);
        },
        data() {},
        error() {},
      },
    }).catch((error: unknown) => fault("abort", String(error)));
  }

  async function stream(i: number): Promise<void> {
    while (!stopped) {
      const lifeMs = STREAM_MS.least + Math.random() * (STREAM_MS.most - STREAM_MS.least);
      const end = AbortSignal.any([left.signal, AbortSignal.timeout(lifeMs)]);
      requests++;
      try {
        const headers = { ...bearer(i), accept: "text/event-stream" };
        const answer = await (i % 2 === 0
          ? fetch(`${url}/v1/events`, { headers, signal: end })
          : fetch(`${url}/graphql`, {
              method: "POST",
              headers: { ...headers, "content-type": "application/json" },
              body: JSON.stringify({ query: SUBSCRIPTION }),
              signal: end,
            }));
        for await (const chunk of expected(answer, 200).body ?? [])
          streamed += Buffer.from(chunk).toString().split("\ndata:").length - 1;
        fault("stream", "the server ended it");
      } catch (error) {
        if (!end.aborted) fault("stream", String(error));
      }
    }
  }

  function bearer(n: number): Record<string, string> {
    return { authorization: `Bearer ${tokens[n % tokens.length]}` };
  }

  /** Returns the headers of a guest. Each guest has its own IP address. */
  function visitor(n: number): Record<string, string> {
    const stranger = n % strangers;
    return {
      accept: "text/html",
      "user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0",
      "x-forwarded-for": `198.51.${100 + Math.floor(stranger / 250)}.${stranger % 250}`,
    };
  }

  async function api(
    n: number,
    method: string,
    path: string,
    status: number | number[],
    body?: unknown,
  ): Promise<Response> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return expected(
      await request(`/v1${path}`, { method, headers: { ...bearer(n), ...type }, ...sent }),
      status,
    );
  }

  function request(path: string, init: RequestInit): Promise<Response> {
    requests++;
    return fetch(url + path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) });
  }
}

function expected(answer: Response, status: number | number[]): Response {
  if (![status].flat().includes(answer.status)) throw new Error(`${answer.status} at ${answer.url}`);
  return answer;
}

function tokenIn(html: string): string {
  const [, token] = /name="form_token" value="([^"]+)"/.exec(html) ?? [];
  if (token === undefined) throw new Error("a page without a form of ours");
  return token;
}
