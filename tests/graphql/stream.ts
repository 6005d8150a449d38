import type { TestServer } from "../support.ts";

export interface SentEvent {
  id: string;
  event: string;
  data: any;
}

export interface OpenStream extends AsyncDisposable {
  status: number;
  headers: Headers;
  /** Returns the next event, or undefined at the end of the stream. */
  next(): Promise<SentEvent | undefined>;
  text(): Promise<string>;
}

/** Subscribes like a plain client of server-sent events. Resolves when the stream is open. */
export async function listen(
  server: TestServer,
  token: string,
  document: string,
  { variables = {}, headers = {} }: { variables?: object; headers?: Record<string, string> } = {},
): Promise<OpenStream> {
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ query: document, variables }),
    signal: leaving.signal,
  });
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
  const events = isStream && answer.body ? read(answer.body) : undefined;
  // The server's first comment confirms the subscription.
  if (events) await events.next();
  return {
    status: answer.status,
    headers: answer.headers,
    next: async () => (await events?.next())?.value as SentEvent | undefined,
    text: () => answer.text(),
    async [Symbol.asyncDispose]() {
      leaving.abort();
    },
  };
}

/** A stream in single connection mode. */
export interface SingleStream extends AsyncDisposable {
  /** Starts an operation with this id, using `token` or the stream's token. Resolves with the status. */
  begin(id: string, document: string, token?: string): Promise<number>;
  /** Returns the next event of any operation, or undefined at the end of the stream. */
  next(): Promise<SentEvent | undefined>;
}

export async function singleStream(server: TestServer, token: string): Promise<SingleStream> {
  const url = `${server.url}/graphql`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const leaving = new AbortController();
  const stream = await (await fetch(url, { method: "PUT", headers })).text();
  const named = { ...headers, "x-graphql-event-stream-token": stream };
  const { body } = await fetch(url, { headers: named, signal: leaving.signal });
  const events = body ? read(body) : undefined;
  await events?.next();
  return {
    async begin(id, query, own = token) {
      const body = JSON.stringify({ query, extensions: { operationId: id } });
      const headers = { ...named, authorization: `Bearer ${own}` };
      return (await fetch(url, { method: "POST", headers, body })).status;
    },
    next: async () => (await events?.next())?.value as SentEvent | undefined,
    async [Symbol.asyncDispose]() {
      leaving.abort();
    },
  };
}

/**
 * Resolves with the next value, or with undefined if a server in this process stays silent for many turns of
 * the event loop. A time limit would not work: if the process is delayed, both server and timer are late.
 */
export async function nextUnlessSilent<Told>(coming: Promise<Told> | undefined): Promise<Told | undefined> {
  const silence = (async () => {
    for (let round = 0; round < SILENT_ROUNDS; round++) await Bun.sleep(1);
    return undefined;
  })();
  return Promise.race([coming, silence]);
}

const SILENT_ROUNDS = 40;

async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent | undefined> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (block === ":") yield undefined;
      // Events without data are not dispatched (HTML §9.2.6).
      else if (/^data:/m.test(block)) yield parsed(block);
    }
  }
}

function parsed(block: string): SentEvent {
  const lines = new Map(
    block
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const data = lines.get("data") ?? "";
  return {
    id: lines.get("id") ?? "",
    event: lines.get("event") ?? "",
    data: data === "" ? null : JSON.parse(data),
  };
}
