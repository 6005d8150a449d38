/** The names of §7: the only ways in which the core refuses. Each door maps them once. */
export type ErrorName =
  | "bad_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "unprocessable"
  | "rate_limited"
  | "server_error";

/** One field that failed, and the rule that it broke. Never the value that was sent: it may be a secret. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** A refusal. `message` is one sentence for a person that says what to change; `code` is the contract. */
export class CoreError extends Error {
  constructor(
    readonly code: ErrorName,
    message: string,
    readonly details?: readonly ErrorDetail[],
    /** For rate_limited: after so many whole seconds, at least 1, the same request is let in. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "CoreError";
  }
}

export function badRequest(message: string, details?: readonly ErrorDetail[]): CoreError {
  return new CoreError("bad_request", message, details);
}

export function unauthorized(): CoreError {
  // One sentence for every reason (§5.4), so that a guesser learns nothing from it.
  return new CoreError(
    "unauthorized",
    "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
  );
}

export function forbidden(message: string): CoreError {
  return new CoreError("forbidden", message);
}

export function notFound(message: string): CoreError {
  return new CoreError("not_found", message);
}

export function conflict(message: string): CoreError {
  return new CoreError("conflict", message);
}

export function unprocessable(message: string, details?: readonly ErrorDetail[]): CoreError {
  return new CoreError("unprocessable", message, details);
}

/** `retryInMs` is how long the bucket says; it becomes whole seconds, in the sentence and for `Retry-After`. */
export function rateLimited(what: string, retryInMs: number): CoreError {
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000));
  return new CoreError(
    "rate_limited",
    `${what}; wait ${seconds} second${seconds > 1 ? "s" : ""} and try again.`,
    undefined,
    seconds,
  );
}
