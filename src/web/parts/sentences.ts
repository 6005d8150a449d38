import type { CoreError, ErrorDetail } from "../../core/ground/errors.ts";
import { FAULTS, type FaultCode } from "../../core/ground/refusals/faults.ts";
import type { RefusalCode } from "../../core/ground/refusals/refusals.ts";
import { say } from "../../core/ground/refusals/say.ts";
import type { Words } from "../words/words.ts";

/** A refusal as a page says it: made from its code, never in words of the API. */
export function sentenceOf({ refusals }: Words, { error, code, params, details }: CoreError): string {
  const [first] = details ?? [];
  if (first && isOfField(first.code)) return ofField(refusals.fields, first);
  return say(refusals.of[code as RefusalCode] ?? refusals.neutral[error], params);
}

/** The same of the field `name`, which stands beside it; undefined where it is right. */
export function sentenceOfField(
  words: Words,
  refused: CoreError | undefined,
  name: string,
): string | undefined {
  const detail = refused?.details?.find(({ path }) => path === name || path.startsWith(`${name}.`));
  if (!refused || !detail) return undefined;
  return isOfField(detail.code) ? ofField(words.refusals.fields, detail) : sentenceOf(words, refused);
}

function ofField(fields: Words["refusals"]["fields"], { code, params }: ErrorDetail): string {
  return say(fields[code as FaultCode], params);
}

function isOfField(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}
