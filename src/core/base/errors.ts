import {
  type Code,
  type ErrorName,
  type RefusalCode,
  refusalOf,
  formatFault,
  type ParamsWithout,
  type FaultParamsOf,
  type ParamsOf,
} from "./refusals/refusals.ts";
export type { ErrorName } from "./refusals/refusals.ts";
import type { FaultCode } from "./refusals/faults.ts";
import { type Params, formatSentence } from "./refusals/sentence.ts";

/** A broken rule: its code, and the values for its text. */
export interface Fault {
  code: FaultCode;
  params?: Params;
}

/** An invalid field and the rule that it breaks. Never includes the value, which may be a secret. */
export interface ErrorDetail {
  path: string;
  code: Code;
  params?: Params;
  message: string;
}

/** Optional fields of a refusal. */
interface RefusalOptions {
  details?: readonly ErrorDetail[] | undefined;
  /** Time after which the client can repeat the request, in whole seconds, at least 1. */
  retryAfterSeconds?: number | undefined;
}

/**
 * A refusal. `error` is its name (docs/contract.md#V7) and `code` the exact reason. `message` is one sentence
 * made from `code` and `params` that says what to change.
 */
export class CoreError extends Error {
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;

  constructor(
    readonly error: ErrorName,
    readonly code: Code,
    readonly params: Params | undefined,
    message: string,
    { details, retryAfterSeconds }: RefusalOptions = {},
  ) {
    super(message);
    this.name = "CoreError";
    if (details && details.length > 0) this.details = details;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Builds a refusal of the catalogue: `throw refuse("endpoints_too_many", { max: 50 })`. */
export function refuse<C extends RefusalCode>(code: C, ...[params]: ParamsOf<C>): CoreError {
  return refusing(code, params);
}

/**
 * Builds a refusal whose field differs from the field in the catalogue. Use this function if two requests
 * share a rule.
 */
export function refuseAt<C extends RefusalCode>(path: string, code: C, ...[params]: ParamsOf<C>): CoreError {
  return refusing(code, params, { path });
}

/**
 * Builds a refusal for a request that is accepted after `retryInMs`. Reports the delay in whole `{seconds}`
 * and as `Retry-After`.
 */
export function refuseFor<C extends RefusalCode>(
  code: C,
  retryInMs: number,
  ...[params]: ParamsWithout<C, "seconds">
): CoreError {
  const seconds = Math.max(1, Math.ceil(retryInMs / 1000));
  return refusing(code, { ...params, seconds }, { retryAfterSeconds: seconds });
}

function refusing(
  code: RefusalCode,
  params: Params | undefined,
  { path = refusalOf(code).path, retryAfterSeconds }: { path?: string; retryAfterSeconds?: number } = {},
): CoreError {
  const { error, says } = refusalOf(code);
  const message = formatSentence(says, params);
  const details =
    path === undefined
      ? undefined
      : [{ path: formatSentence(path, params), code, ...(params ? { params } : {}), message }];
  return new CoreError(error, code, params, message, { details, retryAfterSeconds });
}

/** Builds a detail for an invalid field: `fault("limit", "not_whole", { min: 1, max: 100 })`. */
export function fault<C extends FaultCode>(
  path: string,
  code: C,
  ...[params]: FaultParamsOf<C>
): ErrorDetail {
  return detailOf(path, { code, ...(params ? { params } : {}) });
}

export function detailOf(path: string, { code, params }: Fault): ErrorDetail {
  return { path, code, ...(params ? { params } : {}), message: formatFault(code, params) };
}

/** Builds one bad_request for all invalid fields. Code and message are those of the first field. */
export function refuseFields([first, ...others]: readonly ErrorDetail[]): CoreError {
  if (!first) throw new Error("no field is wrong");
  const { path, code, params, message } = first;
  return new CoreError(
    "bad_request",
    code,
    params,
    `${path === "" ? "The body" : `\`${path}\``} ${message}.`,
    { details: [first, ...others] },
  );
}

/**
 * Builds the same refusal for every failed authentication (docs/contract.md#1.15), so that an attacker learns
 * nothing from it.
 */
export function unauthorized(): CoreError {
  return refuse("credentials_invalid");
}
