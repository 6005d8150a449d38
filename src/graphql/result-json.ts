import type { ExecutionResult, GraphQLError } from "graphql";
import type { RequestContext } from "../http/context.ts";
import type { GraphContext } from "./context.ts";
import { presentErrors, presentRequestErrors } from "./errors.ts";
import { tooLong } from "./limits.ts";
import { writeJson } from "./json-writer.ts";

export interface ResultJson {
  json: string | Uint8Array<ArrayBuffer>;
  /** Whether the operation ran. False for results without data. */
  hasRun: boolean;
}

/**
 * Serializes a result. A result over the size limit becomes a refusal. Expensive results are written with
 * pauses.
 */
export function writeResult(
  context: GraphContext,
  result: ExecutionResult,
): ResultJson | Promise<ResultJson> {
  const { http, size } = context;
  if (!("data" in result)) return refused(http, result.errors ?? []);
  const cutOff = (): ResultJson => refused(http, [tooLong(size.charactersMax, http.isRead)]);
  const body = result.errors ? formatted(result, http) : result;
  if (size.isExpensive)
    return writeJson(body, size.charactersMax).then((json) => (json ? { json, hasRun: true } : cutOff()));
  const json = JSON.stringify(body);
  return isLonger(json, size.charactersMax) ? cutOff() : { json, hasRun: true };
}

function refused(http: RequestContext, errors: readonly GraphQLError[]): ResultJson {
  return { json: JSON.stringify({ errors: presentRequestErrors(errors, http) }), hasRun: false };
}

function isLonger(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

function formatted(
  { data, errors = [], extensions }: ExecutionResult,
  http: RequestContext,
): ExecutionResult {
  return {
    errors: presentErrors(errors, http) as unknown as readonly GraphQLError[],
    data: data ?? null,
    ...(extensions ? { extensions } : {}),
  };
}
