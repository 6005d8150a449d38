import type { Caller } from "../core/access/caller.ts";

/** One request on its way through a door, with what the preflight found out. */
export interface Visit {
  /** As a router may see it; see `routable`. */
  request: Request;
  readonly requestId: string;
  /** GET for a HEAD. */
  readonly method: string;
  /** The path as it was sent, still encoded; always begins with a slash. */
  path: string;
  /** What follows the question mark, still encoded; empty without one. */
  query: string;
  /** Undefined for a request without valid credentials. */
  caller: Caller | undefined;
  /** Whether an `Authorization` header came at all. */
  readonly hasCredentials: boolean;
  /** The address at the other end of the connection. */
  peer(): string;
  /** Headers that go on whatever answer is made. */
  readonly headers: Record<string, string>;
  /** The answer to whatever was thrown on the way: mapped where it is ours, logged and masked where it is not. */
  refuse(thrown: unknown): Response;
}

const visits = new WeakMap<Request, Visit>();

/** Ties a visit to the request that a framework carries through its own layers. */
export function admit(request: Request, visit: Visit): void {
  visits.set(request, visit);
}

export function visitOf(request: Request): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error("a request reached a door without the preflight");
  return visit;
}
