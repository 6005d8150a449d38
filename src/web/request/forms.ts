import { timingSafeEqual } from "node:crypto";
import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { check } from "../../core/base/check.ts";
import { CoreError, refuse } from "../../core/base/errors.ts";
import { slugOf, slugsOf } from "../../core/base/slugs.ts";
import type { RequestContext } from "../../http/context.ts";
import { unmaskToken } from "./cookies.ts";
import type { PageAnswer, PageContext, PageRoute } from "./route.ts";

/** Throws forbidden for a form of another site. Uses headers only, so it works before the body is read. */
export function requireSameOrigin({ request: { headers } }: RequestContext, origin: string): void {
  const site = headers.get("sec-fetch-site");
  const isOurs = isOurOrigin(headers.get("origin"), headers.get("host"), origin);
  if (!isOurs || (site !== null && site !== "same-origin")) throw refuse("form_foreign");
}

/**
 * Throws forbidden unless a page of this site sent the form. The headers must name this site, and the form
 * must have the token that only our pages know (docs/threats.md#F01).
 */
export function requireFormToken(
  context: RequestContext,
  form: URLSearchParams,
  formToken: string,
  origin: string,
): void {
  requireSameOrigin(context, origin);
  if (!isEqual(form.get("form_token") ?? "", formToken)) {
    throw refuse("form_stale");
  }
}

/** Throws bad_request for a repeated field that is not in `repeats`. */
export function refuseRepeated(form: URLSearchParams, repeats: readonly string[] = []): void {
  const names = new Set<string>();
  for (const name of form.keys()) {
    if (names.has(name) && !repeats.includes(name)) throw refuse("form_field_repeated");
    names.add(name);
  }
}

/**
 * Whether the form comes from the public origin or from the host of this request, because a server can have
 * several names. For the public host, the scheme must match too, because a network attacker can forge http
 * pages of that host.
 */
function isOurOrigin(sent: string | null, host: string | null, origin: string): boolean {
  if (sent === origin) return true;
  if (sent === null || !URL.canParse(sent)) return false;
  const { host: sentHost } = new URL(sent);
  return sentHost === host && sentHost !== new URL(origin).host;
}

/** Compares two masked tokens in constant time. */
function isEqual(sent: string, expected: string): boolean {
  const [sentToken, own] = [unmaskToken(sent), unmaskToken(expected)];
  return sentToken !== undefined && own !== undefined && timingSafeEqual(sentToken, own);
}

/** Returns a form field without surrounding blanks. Empty if it was not sent. */
export function field(form: URLSearchParams, name: string): string {
  return form.get(name)?.trim() ?? "";
}

/**
 * Returns a multi-line text as it was typed. Forms send each line break as two characters (HTML “normalize
 * newlines”).
 */
export function prose(form: URLSearchParams, name: string): string {
  return form.get(name)?.replaceAll("\r\n", "\n") ?? "";
}

/** Converts a name to a slug. A name in another alphabet is returned unchanged, for the core to reject. */
export function slugged(text: string): string {
  return slugOf(text) || text;
}

/**
 * Reads and validates the draft of an operation from a form. `own` has values that the page reads itself. An
 * empty field becomes null or is left out, as the draft allows. Throws bad_request.
 */
export function readDraft<Draft extends TObject>(
  draft: Draft,
  form: URLSearchParams,
  own: { [Name in keyof Draft["properties"]]?: unknown } = {},
): Static<Draft> {
  return check(draft, { ...valuesOf(draft, form), ...own });
}

/** Returns the schema without null, and whether it allowed null. */
export function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const inner = (schema["anyOf"] as TSchema[] | undefined)?.find(({ type }) => type !== "null");
  return { inner: inner ?? schema, isNullable: inner !== undefined };
}

function valuesOf({ properties }: TObject, form: URLSearchParams, prefix = ""): Record<string, unknown> {
  const values = Object.entries(properties).map(([name, schema]) => [
    name,
    valueOf(schema, form, prefix + name),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Reads one value of a draft. A missing field counts as empty, unless the draft makes it optional. */
export function valueOf(schema: TSchema, form: URLSearchParams, name: string): unknown {
  const { inner, isNullable } = withoutNull(schema);
  const isOptional = schema[OptionalKind] === "Optional";
  const fault = inner["fault"]?.code;
  if (inner["type"] === "object") return valuesOf(inner as TObject, form, `${name}.`);
  if (inner["type"] === "array")
    return inner["items"]?.fault?.code === "not_slug"
      ? slugsOf(form.getAll(name).join(" "))
      : form.getAll(name).filter(Boolean);
  if (isOptional && !form.has(name)) return undefined;
  const text = fault === "not_text" && !inner["line"] ? prose(form, name) : field(form, name);
  if (isNullable && text.trim() === "") return null;
  if (inner["type"] === "boolean") return text === "true";
  if (isOptional && text === "" && inner["minLength"] !== 0) return undefined;
  // Accepts only digits, because `Number` also accepts `0x10`, `1e3` and an empty text.
  if (inner["type"] === "integer" && text === "") return undefined;
  if (inner["type"] === "integer") return /^\d{1,15}$/.test(text) ? Number(text) : text;
  // Accepts spellings that people type.
  if (fault === "not_slug") return slugged(text);
  return fault === "not_currency" ? text.toUpperCase() : text;
}

/** Shows the form again with the refusal, if there is one. Other errors are thrown. */
export async function showAgainOnError(
  work: () => PageAnswer | Promise<PageAnswer>,
  showForm: (error: CoreError) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CoreError && error.error !== "server_error") return await showForm(error);
    throw error;
  }
}

/** Whether a form asks for a preview, which writes nothing (docs/contract.md#4.22). */
export function isPreview(form: URLSearchParams): boolean {
  return form.has("preview");
}

/** Shows the form again for a preview, or else handles it. */
export function previewOrSubmit<Context extends PageContext>(
  view: (ctx: Context) => PageAnswer,
  handle: (ctx: Context) => PageAnswer | Promise<PageAnswer>,
): (ctx: Context) => PageAnswer | Promise<PageAnswer> {
  return (ctx) => (isPreview(ctx.form) ? view(ctx) : handle(ctx));
}

/** Like `formPage`, with a preview. */
export function previewedFormPage<Context extends PageContext>(
  access: (
    method: "POST",
    path: string,
    handle: (ctx: Context) => PageAnswer | Promise<PageAnswer>,
  ) => PageRoute,
  view: (ctx: Context) => PageAnswer,
): typeof access {
  return (method, path, handle) => access(method, path, previewOrSubmit(view, handle));
}

/**
 * Creates the POST route of a form. `access` defines who may send it. After a refusal, `again` shows the form
 * with the error.
 */
export function formPage<Context extends PageContext>(
  access: (method: "POST", path: string, handle: (ctx: Context) => Promise<PageAnswer>) => PageRoute,
  path: string,
  showForm: (ctx: Context, error: CoreError) => PageAnswer,
  work: (ctx: Context) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return access("POST", path, (ctx) =>
    showAgainOnError(
      () => work(ctx),
      (error) => showForm(ctx, error),
    ),
  );
}

/**
 * Returns the path to go to after signing in. Returns the front page for an unsafe path
 * (docs/threats.md#F09).
 */
export function safePath(text: string | null): string {
  const isPath = text !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes("\\");
  return isPath && new URL(text, "http://here.invalid").host === "here.invalid" ? text : "/";
}
