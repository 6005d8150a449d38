import { USUAL_MESSAGE } from "../../core/services/maintenance/maintenance.ts";
import type { RuleName } from "../../core/community/xp/rules.ts";
import type { XpEntry } from "../../core/community/xp/xp.ts";
import type { AuditEvent, Detail } from "../../core/identity/audit/audit-events.ts";
import type { AuditEntry } from "../../core/identity/audit/audit.ts";
import type { CoreError, ErrorDetail, ErrorName } from "../../core/base/errors.ts";
import type { RequestContext } from "../../http/context.ts";
import type { Params } from "../../core/base/refusals/sentence.ts";
import { FAULTS, type FaultCode } from "../../core/base/refusals/faults.ts";
import type { GRAPHQL } from "../../core/base/refusals/graphql.ts";
import type { RefusalCode } from "../../core/base/refusals/refusals.ts";
import type { AnyEventType } from "../../core/outbox/events/catalogue.ts";
import { DISABLED_CODES, DISABLED_REASONS, FORMER_REASONS } from "../../core/outbox/webhooks/health.ts";
import type { Failure } from "../../core/outbox/deliveries/failures.ts";
import type { Text } from "../../locale/runtime.ts";
import type { PageLocale } from "../request/locale.ts";
import { type Message, formatMessage } from "../../locale/format-message.ts";
import type { LocaleMessages } from "../../locale/messages.ts";

/** Codes that only REST and GraphQL use. For these codes, a page shows the neutral message of the status. */
type ApiCode =
  | Exclude<
      keyof typeof GRAPHQL,
      "builder_gone" | "graphiql_off" | "graphql_elsewhere" | "job_gone" | "project_gone"
    >
  | "event_not_of_stream"
  | "place_too_old"
  | "place_unknown";

/**
 * Returns a refusal as text for a page, built from its code and never from the API message. If the message
 * throws, the reader gets the neutral message of the status. A broken message must not turn a refusal into an
 * internal error.
 */
export function refusalText(ctx: Reader, { error, code, params, details }: CoreError): string {
  const { refusals } = ctx.messages;
  const messages: Readonly<Record<Exclude<RefusalCode, ApiCode>, Message>> = refusals.of;
  const message: Message | undefined = (messages as Partial<Record<string, Message>>)[code];
  const [first] = details ?? [];
  return orNeutral(ctx, error, () =>
    first && isOfField(first.code)
      ? ofField(ctx.messages, first)
      : formatMessage(message ?? refusals.neutral[error], textParams(ctx, params)),
  );
}

/** The reader's locale. `context` logs a message that throws. Tests leave `context` out. */
type Reader = PageLocale & { context?: Pick<RequestContext, "report"> };

function orNeutral({ messages, context }: Reader, error: ErrorName, sentence: () => string): string {
  try {
    return sentence();
  } catch (thrown) {
    context?.report(thrown);
    return messages.refusals.neutral[error];
  }
}

/** Formats a time in the reader's zone. Names the zone if the reader has not chosen one. */
export function formatMoment({ messages: { formats }, zone }: PageLocale, at: number): string {
  return (zone.isOwn ? formats.momentAtHome : formats.moment)(at, zone.name);
}

/** Formats the core's parameters for a message. Times and waits follow the language. */
function textParams(ctx: PageLocale, params: Params = {}): Record<string, Text> {
  const said = Object.entries(params).map(([name, value]): [string, Text] => {
    if (typeof value === "number") return [name, value];
    if (typeof value !== "string") return [name, value.join(", ")];
    return [
      name,
      isMoment(value) ? formatMoment(ctx, Date.parse(value)) : maintenanceText(ctx.messages, value),
    ];
  });
  const { seconds } = params;
  if (typeof seconds === "number") said.push(["wait", ctx.messages.formats.waitTime(seconds)]);
  return Object.fromEntries(said);
}

/** Returns the maintenance message. The default one is in the reader's language. */
export function maintenanceText({ admin }: LocaleMessages, message: string): string {
  return message === USUAL_MESSAGE ? admin.maintenance.usual : message;
}

/** A name may look like a time without being a valid time. */
function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the error of the field `name`. Undefined if it has none. */
export function fieldErrorText(
  ctx: Reader,
  refused: CoreError | undefined,
  name: string,
): string | undefined {
  const detail = refused?.details?.find(({ path }) => path === name || path.startsWith(`${name}.`));
  if (!refused || !detail) return undefined;
  const { code } = detail;
  return isOfField(code)
    ? orNeutral(ctx, refused.error, () => ofField(ctx.messages, detail))
    : refusalText(ctx, refused);
}

/** Describes an audit log entry. An operation that this version does not know is shown by its name. */
export function describeAuditEntry(messages: LocaleMessages, { act, detail }: AuditEntry): string {
  const { acts, maintenanceWithoutEnd } = messages.audit;
  if (!Object.hasOwn(acts, act)) return act;
  const params = partsOf(messages, detail);
  if (act === "maintenance.begun" && params["until"] === undefined) return maintenanceWithoutEnd;
  // Parts that are no longer stored are shown as “…”.
  return formatMessage(
    acts[act as AuditEvent],
    new Proxy(params, { get: (known, part: string) => known[part] ?? "…" }),
  );
}

/** Details of audit entries that are numbers. All others are text. */
const COUNTED = { sessions: 0, tokens: 0, apps: 0, endpoints: 0, links: 0 };

function partsOf(messages: LocaleMessages, detail: Detail): Record<string, Text> {
  const params: Record<string, Text> = { ...COUNTED };
  for (const [part, value] of Object.entries(detail)) {
    if (value === null) continue;
    const text = String(value);
    if (Object.hasOwn(COUNTED, part)) params[part] = Number(value);
    else if (part === "time") params[part] = timeText(messages, text);
    else if (part === "parts") params[part] = charterParts(messages, text);
    else if (part === "reason") params[part] = reasonText(messages, text);
    else params[part] = text;
  }
  const [, until] = /^until (\d{4}-.*)$/.exec(String(detail["end"] ?? "")) ?? [];
  if (until !== undefined) params["until"] = timeText(messages, until);
  return params;
}

/** Formats a time that the log stores as text. */
function timeText({ formats }: LocaleMessages, text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : formats.moment(at, "UTC");
}

function charterParts({ audit }: LocaleMessages, text: string): string {
  const names: Readonly<Record<string, string>> = audit.charterParts;
  return text
    .split(", ")
    .map((name) => names[name] ?? name)
    .join(", ");
}

/** Translates the reason why an endpoint was disabled, which the log stores as an English sentence. */
function reasonText({ deliveries }: LocaleMessages, text: string): string {
  const code = DISABLED_CODES.find((each) => DISABLED_REASONS[each] === text) ?? FORMER_REASONS[text];
  return code === undefined ? text : deliveries.disabled[code];
}

/** Describes an entry of the XP ledger, or an XP rule. */
export function describeXpEntry({ xp }: LocaleMessages, { reason, cause }: XpEntry): string {
  return xp.causes[cause]({ rule: Object.hasOwn(xp.rules, reason) ? xp.rules[reason as RuleName] : reason });
}

function ofField({ refusals }: LocaleMessages, { code, params }: ErrorDetail): string {
  return formatMessage(refusals.fields[code as FaultCode], plainParams(params));
}

/** Formats the core's parameters if none of them is a time. */
function plainParams(params: Params = {}): Record<string, Text> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "object" ? value.join(", ") : value,
    ]),
  );
}

function isOfField(code: string): code is FaultCode {
  return Object.hasOwn(FAULTS, code);
}

/** Describes when an event type fires. A type that this version does not know is shown by its name. */
export function describeEvent({ events }: LocaleMessages, type: string): string {
  return Object.hasOwn(events, type) ? events[type as AnyEventType] : type;
}

export function describeFailure({ deliveries }: LocaleMessages, { code, params }: Failure): string {
  return formatMessage(deliveries.failures[code], plainParams(params));
}

export function describeScope({ scopes }: LocaleMessages, name: string): string {
  return Object.hasOwn(scopes, name) ? scopes[name as keyof typeof scopes] : name;
}
