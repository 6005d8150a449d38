import { ACCESS } from "./access.ts";
import { ACCOUNTS } from "./accounts.ts";
import { APPS } from "./apps.ts";
import { BOARDS } from "./boards.ts";
import { GRAPHQL } from "./graphql.ts";
import { MEDIA } from "./media.ts";
import { MODERATION } from "./moderation.ts";
import { NEWCOMERS } from "./newcomers.ts";
import { OPERATOR } from "./operator.ts";
import { QUOTAS } from "./quotas.ts";
import { CHANNELS } from "./channels.ts";
import { WEBHOOKS } from "./webhooks.ts";
import { REQUESTS } from "./requests.ts";
import { WORKSPACES } from "./workspaces.ts";
import { FAULTS, type FaultCode } from "./faults.ts";
import { type Param, type Params, type PlaceholdersOf, formatSentence } from "./sentence.ts";

/**
 * Error names of docs/contract.md#V7 and docs/contract.md#1.2. The core uses no others. Each transport maps
 * them in one place.
 */
export type ErrorName =
  | "bad_request"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "precondition_failed"
  | "unprocessable"
  | "rate_limited"
  | "server_error"
  | "unavailable";

/**
 * A refusal of the catalogue. Its code is stable and finer than the error name. Its message is built only
 * here (docs/contract.md#1.3). The message says what to change. Its placeholders hold values that this
 * program knows, never input of the client.
 */
export interface Refusal {
  error: ErrorName;
  says: string;
  /** Name of the invalid field in the REST API. */
  path?: string;
}
export type Refusals = Readonly<Record<string, Refusal>>;

export const REFUSALS = {
  ...ACCESS,
  ...ACCOUNTS,
  ...APPS,
  ...BOARDS,
  ...GRAPHQL,
  ...MEDIA,
  ...MODERATION,
  ...NEWCOMERS,
  ...OPERATOR,
  ...QUOTAS,
  ...CHANNELS,
  ...WEBHOOKS,
  ...REQUESTS,
  ...WORKSPACES,
} as const satisfies Refusals;

export type RefusalCode = keyof typeof REFUSALS;
/** Code in an error response: the code of a refusal, or of the first invalid field's fault. */
export type Code = RefusalCode | FaultCode;

type ParamList<Places extends string> = [Places] extends [never]
  ? []
  : [params: Readonly<Record<Places, Param>>];
type PlaceholdersIn<C extends RefusalCode> = PlaceholdersOf<(typeof REFUSALS)[C]["says"]>;
/** Parameters that the message of a code needs: none, or all of its placeholders. */
export type ParamsOf<C extends RefusalCode> = ParamList<PlaceholdersIn<C>>;
/** The parameters of `ParamsOf` without `Place`, which the calling function sets. */
export type ParamsWithout<C extends RefusalCode, Place extends string> = ParamList<
  Exclude<PlaceholdersIn<C>, Place>
>;
export type FaultParamsOf<C extends FaultCode> = ParamList<PlaceholdersOf<(typeof FAULTS)[C]>>;

export function refusalOf(code: RefusalCode): Refusal {
  return REFUSALS[code];
}

/** Returns the rule that a field breaks, as text that follows the field's name. */
export function formatFault(code: FaultCode, params?: Params): string {
  return formatSentence(FAULTS[code], params);
}
