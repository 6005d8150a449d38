import { USUAL_MESSAGE } from "../../core/services/maintenance/maintenance.ts";
import type { RuleName } from "../../core/community/xp/rules.ts";
import type { XpEntry } from "../../core/community/xp/xp.ts";
import type { Act } from "../../core/identity/audit/acts.ts";
import type { AuditEntry } from "../../core/identity/audit/audit.ts";
import type { CoreError, ErrorDetail, ErrorName } from "../../core/base/errors.ts";
import type { RequestContext } from "../../http/context.ts";
import type { Params } from "../../core/base/refusals/sentence.ts";
import { FAULTS, type FaultCode } from "../../core/base/refusals/faults.ts";
import type { RefusalCode } from "../../core/base/refusals/refusals.ts";
import type { AnyEventType } from "../../core/outbox/events/catalogue.ts";
import type { Failure } from "../../core/outbox/deliveries/failures.ts";
import { badgeName } from "../words/badges.ts";
import { sayIn } from "../words/sentence.ts";
import type { Spoken } from "../request/locale.ts";
import type { Words } from "../words/words.ts";

/**
 * A refusal as a page says it: made from its code, never in words of the API. Where that sentence throws, the reader
 * gets the neutral sentence of the status: a fault in a sentence must not turn a refusal into a 500.
 */
export function sentenceOf(ask: Reader, { error, code, params, details }: CoreError): string {
  const { refusals, forms } = ask.words;
  const [first] = details ?? [];
  return orNeutral(ask, error, () =>
    first && isOfField(first.code)
      ? ofField(ask.words, first)
      : sayIn(forms, refusals.of[code as RefusalCode] ?? refusals.neutral[error], inWords(ask, params)),
  );
}

/** Who reads a sentence. `context` logs a sentence that throws; left out where nothing is answered, as in a test. */
type Reader = Spoken & { context?: Pick<RequestContext, "report"> };

function orNeutral({ words, context }: Reader, error: ErrorName, sentence: () => string): string {
  try {
    return sentence();
  } catch (thrown) {
    context?.report(thrown);
    return words.refusals.neutral[error];
  }
}

/** A moment where its reader lives: the zone is named where they have chosen none. */
export function momentHere({ words: { forms }, zone }: Spoken, at: number): string {
  return (zone.isOwn ? forms.momentAtHome : forms.moment)(at, zone.name);
}

/** A moment among what a sentence is told is said as people say it. */
function inWords(ask: Spoken, params: Params | undefined): Params | undefined {
  if (!params) return undefined;
  const said = Object.entries(params).map(([name, value]) => [
    name,
    typeof value !== "string"
      ? value
      : isMoment(value)
        ? momentHere(ask, Date.parse(value))
        : sayMaintenance(ask.words, value),
  ]);
  return Object.fromEntries(said) as Params;
}

/** What is said of maintenance: where nothing else is, in the language of whoever looks. */
export function sayMaintenance({ admin }: Words, message: string): string {
  return message === USUAL_MESSAGE ? admin.maintenance.usual : message;
}

/** A name that somebody gave may look like one and be none. */
function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The same of the field `name`, which stands beside it; undefined where it is right. */
export function sentenceOfField(
  ask: Reader,
  refused: CoreError | undefined,
  name: string,
): string | undefined {
  const detail = refused?.details?.find(({ path }) => path === name || path.startsWith(`${name}.`));
  if (!refused || !detail) return undefined;
  const { code } = detail;
  return isOfField(code)
    ? orNeutral(ask, refused.error, () => ofField(ask.words, detail))
    : sentenceOf(ask, refused);
}

/** An entry of an account's log. An act that this program no longer knows is shown by its name. */
export function sentenceOfAct({ codes: { acts } }: Words, { act, detail }: AuditEntry): string {
  const said = Object.hasOwn(acts, act) ? acts[act as Act] : act;
  if (typeof said !== "string") return said(detail);
  return said.replace(/\{(\w+)\}/g, (_all, part: string) => String(detail[part] ?? "…"));
}

/** A line of the ledger of points; so is a rule. */
export function sentenceOfXp({ codes: { xp } }: Words, { reason, cause }: XpEntry): string {
  return xp.causes[cause](Object.hasOwn(xp.rules, reason) ? xp.rules[reason as RuleName] : reason);
}

function ofField({ refusals, forms }: Words, { code, params }: ErrorDetail): string {
  return sayIn(forms, refusals.fields[code as FaultCode], params);
}

function isOfField(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}

/** When an event of a type fires; a type that this program no longer knows is shown by its name. */
export function wordsOfEvent({ codes: { events } }: Words, type: string): string {
  return Object.hasOwn(events, type) ? events[type as AnyEventType] : type;
}

/** The name of a badge. */
export function nameOfBadge({ people: { badges } }: Words, badge: string): string {
  return badgeName(badges.names, badge);
}

/** Why an attempt failed. */
export function sentenceOfFailure({ codes: { failures }, forms }: Words, { code, params }: Failure): string {
  return sayIn(forms, failures[code], params);
}

/** What a scope lets somebody do; so is a scope. */
export function wordsOfScope({ codes: { scopes } }: Words, name: string): string {
  return Object.hasOwn(scopes, name) ? scopes[name as keyof typeof scopes] : name;
}
