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
