import { AsyncLocalStorage } from "node:async_hooks";
import type { AccessToken } from "../core/delegation/oauth/access-tokens.ts";
import type { Change, GrantRef } from "../core/delegation/oauth/records.ts";

/** What the OAuth server library does for one request: it asks and changes through an adapter that knows no request. */
export interface Work {
  endpoint: "authorize" | "token" | "revoke" | "introspect" | "device" | "page";
  /** Who has signed in on the site. */
  person: { builderId: string; signedInAt: number } | undefined;
  /** Written in one go when the answer is there. */
  changes: Change[];
  /** The access token that the request is about, verified. */
  presented?: AccessToken | undefined;
  /** The authorization code that was shown. */
  code?: { id: string; isConsumed: boolean; grant: GrantRef | undefined } | undefined;
  /** A refresh token was shown again within its grace: this one has taken its place already. */
  successor?: string | undefined;
  /** Where the app may be told of a fault: its own redirect address, verified, with the `state` to give back. */
  returnTo?: { redirectUri: string; state: string | undefined } | undefined;
  /** What went wrong inside, for the log. */
  fault?: { thrown: unknown };
}

export function newWork(endpoint: Work["endpoint"], person?: Work["person"]): Work {
  return { endpoint, person, changes: [] };
}

const storage = new AsyncLocalStorage<Work>();

export function doWork<Result>(work: Work, run: () => Result): Result {
  return storage.run(work, run);
}

export function currentWork(): Work {
  const work = storage.getStore();
  if (!work) throw new Error("the OAuth server was asked outside of a request");
  return work;
}
