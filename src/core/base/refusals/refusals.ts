import { ACCESS } from "./access.ts";
import { ACCOUNTS } from "./accounts.ts";
import { APPS } from "./apps.ts";
import { BOARDS } from "./boards.ts";
import { GRAPHQL } from "./graphql.ts";
import { MEDIA } from "./media.ts";
import { NEWCOMERS } from "./newcomers.ts";
import { OPERATOR } from "./operator.ts";
import { QUOTAS } from "./quotas.ts";
import { CHANNELS } from "./channels.ts";
import { WEBHOOKS } from "./webhooks.ts";
import { WIRE } from "./requests.ts";
import { WORKSPACES } from "./workspaces.ts";
import { FAULTS, type FaultCode } from "./faults.ts";
import { type Param, type Params, type PlacesOf, formatSentence } from "./sentence.ts";

/**
 * The names of docs/contract.md#V7 and docs/contract.md#1.2: the only ways in which the core refuses. Each
 * transport maps them once.
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
 * Everything this program refuses, by its code: stable, finer than the name of its status, and the one place
 * where its sentence is made (docs/contract.md#1.3). A sentence says what to change; its places hold what
 * this program knows, never what was sent (docs/contract.md#1.3).
 */
export interface Refusal {
  error: ErrorName;
  says: string;
  /** The field that it is about, by the name that REST gives it. */
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
  ...NEWCOMERS,
  ...OPERATOR,
  ...QUOTAS,
  ...CHANNELS,
  ...WEBHOOKS,
  ...WIRE,
  ...WORKSPACES,
} as const satisfies Refusals;

export type RefusalCode = keyof typeof REFUSALS;
/** What can stand in `code`: a refusal, or the first field that broke its rule. */
export type Code = RefusalCode | FaultCode;

type ParamList<Places extends string> = [Places] extends [never]
  ? []
  : [params: Readonly<Record<Places, Param>>];
type PlacesIn<C extends RefusalCode> = PlacesOf<(typeof REFUSALS)[C]["says"]>;
/** What a code's sentence has to be told: nothing, or all of its places. */
export type ParamsOf<C extends RefusalCode> = ParamList<PlacesIn<C>>;
/** The same without the one that is told already. */
export type ParamsWithout<C extends RefusalCode, Place extends string> = ParamList<
  Exclude<PlacesIn<C>, Place>
>;
export type FaultParamsOf<C extends FaultCode> = ParamList<PlacesOf<(typeof FAULTS)[C]>>;

export function refusalOf(code: RefusalCode): Refusal {
  return REFUSALS[code];
}

/** The rule that a field breaks, in words that follow the field's name. */
export function formatFault(code: FaultCode, params?: Params): string {
  return formatSentence(FAULTS[code], params);
}
