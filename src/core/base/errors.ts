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

/** A rule that a value breaks. */
export interface Fault {
  code: FaultCode;
  params?: Params;
}

/** One field that failed, and the rule that it broke. Never the value that was sent: it may be a secret. */
export interface ErrorDetail {
  path: string;
  code: Code;
  params?: Params;
  message: string;
}

/** What a refusal may carry beside its sentence. */
interface Beside {
  details?: readonly ErrorDetail[] | undefined;
  /** After so many whole seconds, at least 1, the same request is let in. */
  retryAfterSeconds?: number | undefined;
}

/**
 * A refusal. `error` is its name (docs/contract.md#V7), `code` the finer one, and `message` one sentence for
 * a person that says what to change, made from `code` and `params`.
 */
export class CoreError extends Error {
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;

  constructor(
    readonly error: ErrorName,
    readonly code: Code,
    readonly params: Params | undefined,
    message: string,
    { details, retryAfterSeconds }: Beside = {},
  ) {
    super(message);
    this.name = "CoreError";
    if (details && details.length > 0) this.details = details;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A refusal of the catalogue: `throw refuse("endpoints_too_many", { max: 50 })`. */
export function refuse<C extends RefusalCode>(code: C, ...[params]: ParamsOf<C>): CoreError {
  return refusing(code, params);
}

/** The same of another field than the catalogue names: one rule for two requests. */
export function refuseAt<C extends RefusalCode>(path: string, code: C, ...[params]: ParamsOf<C>): CoreError {
  return refusing(code, params, { path });
}

/**
 * The same where the same request is let in later: in `retryInMs`, told in whole `{seconds}` and for
 * `Retry-After`.
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

/** One field that breaks a rule: `fault("limit", "not_whole", { min: 1, max: 100 })`. */
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

/** One bad_request for all the fields that are wrong; its code and its message are the first one's. */
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

/** One sentence for every reason (docs/contract.md#1.15), so that a guesser learns nothing from it. */
export function unauthorized(): CoreError {
  return refuse("credentials_invalid");
}
