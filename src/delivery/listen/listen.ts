import { SECOND } from "../../core/base/clock.ts";
import type { Forwarder, PulledEvent } from "./forward.ts";
import type { ListenPosition } from "./position.ts";
import { OperatorError } from "../../core/base/operator-error.ts";

export interface Listening {
  /** Base URL of the community. */
  server: string;
  token: string;
  position: ListenPosition;
  /** Event types to forward. `undefined` forwards all types. */
  types: ReadonlySet<string> | undefined;
  forward: Forwarder;
  print(line: string): void;
  signal: AbortSignal;
}

const WAIT_SECONDS = 25;
/**
 * An event is skipped after this many error responses from the target, so that it does not block later
 * events.
 */
const ATTEMPTS = 5;
const PAUSE_MAX_MS = 30 * SECOND;

/**
 * Pulls events in order and forwards each event before the next, until stopped. The position advances only
 * after an event is acknowledged or skipped, so stopping loses no event. Throws `ListenRefused`
 * for an error that a retry does not fix.
 */
export async function listen(listening: Listening): Promise<void> {
  const { position, signal, print } = listening;
  let since = position.after === undefined ? await nowOf(listening) : undefined;
  print(`listening to ${listening.server} ${position.after ? `after ${position.after}` : "from now on"}`);
  for (let failures = 0; !signal.aborted;) {
    const events = await pull(listening, since);
    if (events === undefined) {
      await pause(failures++, signal);
      continue;
    }
    failures = 0;
    for (const event of events) {
      const isWanted = listening.types?.has(event.type) ?? true;
      if (isWanted && !(await deliver(listening, event))) return;
      position.save(event.id);
      since = undefined;
    }
  }
}

/**
 * Forwards one event. Returns true when the event is acknowledged or skipped. Returns false if the command is
 * stopped first.
 */
async function deliver({ forward, print, signal }: Listening, event: PulledEvent): Promise<boolean> {
  for (let refused = 0, failures = 0; !signal.aborted; failures++) {
    const startedAt = performance.now();
    const status = await forward(event, signal);
    if (signal.aborted) return false;
    const duration = `${Math.round(performance.now() - startedAt)} ms`;
    print([new Date().toISOString(), event.type, event.id, status ?? "no answer", duration].join("  "));
    if (status !== undefined && status >= 200 && status < 300) return true;
    if (status !== undefined && ++refused === ATTEMPTS) {
      print(`${event.id} failed ${ATTEMPTS} times, skipping it`);
      return true;
    }
    await pause(failures, signal);
  }
  return false;
}

/** Returns the next events. Returns `undefined` if the server is unreachable or fails temporarily. */
async function pull(listening: Listening, since: string | undefined): Promise<PulledEvent[] | undefined> {
  const { server, token, position, signal, print } = listening;
  const from = position.after === undefined ? { since: since ?? "" } : { after: position.after };
  const query = new URLSearchParams({ ...from, limit: "100", wait: String(WAIT_SECONDS) });
  const answer = await ask(`${server}/v1/events?${query}`, token, signal);
  if (signal.aborted) return [];
  if (answer === undefined) {
    print(`${server} does not answer, trying again`);
    return undefined;
  }
  if (!answer.ok) {
    const { message = "" } = (await answer.json().catch(() => ({}))) as { message?: string };
    if (answer.status < 500 && answer.status !== 409 && answer.status !== 429)
      throw new ListenRefused(message);
    print(`${server} answered with status ${answer.status}, trying again`);
    const seconds = Number(answer.headers.get("retry-after") ?? 0);
    await sleep(Math.min(seconds * SECOND, PAUSE_MAX_MS), signal);
    return undefined;
  }
  const { data } = (await answer.json()) as { data: { id: string; type: string }[] };
  // Produces the same text as the stored event and the webhook: the same JSON members in the same order.
  return data.map((event) => ({ id: event.id, type: event.type, body: JSON.stringify(event) }));
}

/** Error for a request that the server refused. The message says what the developer has to change. */
export class ListenRefused extends OperatorError {
  override name = "Refused";
}

/** Returns the current time by the server's clock, in whole seconds. Events from this time on are new. */
async function nowOf({ server, token, signal, print }: Listening): Promise<string> {
  for (let failures = 0; ; failures++) {
    const answer = await ask(`${server}/v1/events?limit=1`, token, signal);
    const date = answer?.headers.get("date");
    if (signal.aborted || (answer?.ok && date)) return new Date(date ?? 0).toISOString();
    if (answer && answer.status < 500 && answer.status !== 429) {
      const { message = "" } = (await answer.json().catch(() => ({}))) as { message?: string };
      throw new ListenRefused(message);
    }
    print(`${server} does not answer, trying again`);
    await pause(failures, signal);
  }
}

async function ask(address: string, token: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout((WAIT_SECONDS + 15) * SECOND)]),
    });
  } catch {
    return undefined;
  }
}

/** Waits 1 s, 2 s, 4 s and so on, at most 30 s. */
function pause(failures: number, signal: AbortSignal): Promise<void> {
  return sleep(Math.min(SECOND * 2 ** failures, PAUSE_MAX_MS), signal);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
