/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { isoTime } from "../../core/base/clock.ts";
import type { CoreError } from "../../core/base/errors.ts";
import type { PageContext } from "../request/route.ts";
import type { PageLocale } from "../request/locale.ts";
import type { LocaleMessages } from "../../locale/messages.ts";
import { formatMoment, refusalText, fieldErrorText } from "./sentences.ts";

export interface FormProps {
  ctx: PageLocale & Pick<PageContext, "formToken">;
  action: string;
  /** The refusal of the form. It is shown at the top, unless a field shows it. */
  error?: CoreError | undefined;
  id?: string;
  label?: string | undefined;
  kind?: string;
  /** Whether the form may upload a file. See `withFile`. */
  hasFile?: boolean;
  /**
   * Whether the page script sends the form and puts in its answer (docs/contract.md#9.43). A selector names
   * the element around the form that the fragment replaces.
   */
  inPlace?: true | string | undefined;
  /** Whether assets/passkeys.js creates or uses a passkey for this form, and its messages. */
  passkey?: {
    does: "create" | "get";
    options?: string | undefined;
    messages: LocaleMessages["common"]["passkey"];
  };
}

/** A form with the token that proves that a page of this site sent it (docs/threats.md#F01). */
export function Form({
  ctx,
  action,
  error,
  label,
  children,
  kind,
  id,
  hasFile = false,
  inPlace,
  passkey,
}: PropsWithChildren<FormProps>) {
  const hasFaultInside = `${children as string}`.includes('class="fault"');
  return (
    <form
      method="post"
      action={action}
      id={id}
      class={kind}
      enctype={hasFile ? "multipart/form-data" : undefined}
      aria-label={label}
      data-in-place={inPlace}
      data-passkey={passkey?.does}
      data-options={passkey?.options}
      data-unchanged={passkey?.messages.unchanged}
      data-unanswered={passkey?.messages.unanswered}
    >
      <FormToken ctx={ctx} />
      {hasFaultInside ? "" : <Fault ctx={ctx} error={error} />}
      {children}
    </form>
  );
}

export function FormToken({ ctx }: { ctx: Pick<PageContext, "formToken"> }) {
  return <input type="hidden" name="form_token" value={ctx.formToken} />;
}

/** The refusal of a form that is shown again, and the locale of its message. */
type FieldError = { ctx: PageLocale; error: CoreError | undefined } | { ctx?: undefined; error?: undefined };

export interface BoundField {
  name: string;
  label: string;
  /** The hint below the label. */
  hint?: string | undefined;
  /**
   * The group that contains the field. An error of the whole group (`GroupFault`) then also describes the
   * field.
   */
  within?: string;
  value?: string | undefined;
  type?: "text" | "password" | "url" | "search" | "email" | "number" | "datetime-local" | "color" | undefined;
  autocomplete?: string;
  required?: boolean;
  maxlength?: number | undefined;
  minlength?: number | undefined;
  /** Only for number fields. */
  min?: number | undefined;
  max?: number | undefined;
  placeholder?: string | undefined;
  autofocus?: boolean;
}

/** A field with its label, hint and error. */
function Labelled({
  name,
  label,
  hint,
  children,
  ...judged
}: PropsWithChildren<Pick<BoundField, "name" | "label" | "hint"> & FieldError>) {
  const faultText = faultOf(name, judged);
  return (
    <div class={faultText ? "field wrong" : "field"}>
      <label for={name} dir="auto" safe>
        {label}
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`} safe>
          {hint}
        </p>
      )}
      {children}
      {faultText && (
        <p class="fault" dir="auto" id={`${name}-error`} safe>
          {faultText}
        </p>
      )}
    </div>
  );
}

export type FieldProps = BoundField & FieldError;

/** Connects hint and error to the field for screen readers. */
function ariaAttributes({
  name,
  hint,
  within,
  ...judged
}: Pick<BoundField, "name" | "hint" | "within"> & FieldError) {
  const faultText = faultOf(name, judged);
  const ofGroup = within !== undefined && faultOfGroup(within, judged) ? `${within}-error` : "";
  const described = [hint ? `${name}-hint` : "", faultText ? `${name}-error` : "", ofGroup]
    .filter(Boolean)
    .join(" ");
  return {
    "aria-describedby": described || undefined,
    "aria-invalid": faultText || ofGroup ? ("true" as const) : undefined,
  };
}

/** Returns the error of the group itself, not of one of its fields. */
function faultOfGroup(name: string, judged: FieldError): string | undefined {
  return judged.error?.details?.some(({ path }) => path === name) ? faultOf(name, judged) : undefined;
}

/** An error of several fields together, inside their group (`within`). */
export function GroupFault({ name, ...judged }: { name: string } & FieldError) {
  const faultText = faultOfGroup(name, judged);
  if (!faultText) return "";
  return (
    <p class="fault" dir="auto" id={`${name}-error`} safe>
      {faultText}
    </p>
  );
}

function faultOf(name: string, { ctx, error }: FieldError): string | undefined {
  return ctx && fieldErrorText(ctx, error, name);
}

export function Field(props: FieldProps) {
  const { name, type = "text" } = props;
  return (
    <Labelled {...props}>
      <input
        id={name}
        name={name}
        type={type}
        value={props.value}
        autocomplete={props.autocomplete ?? "off"}
        required={props.required ?? false}
        maxlength={props.maxlength}
        minlength={props.minlength}
        min={props.min}
        max={props.max}
        placeholder={props.placeholder}
        autofocus={props.autofocus ?? false}
        spellcheck={type === "text" ? undefined : "false"}
        dir={type === "text" || type === "search" ? "auto" : undefined}
        {...ariaAttributes(props)}
      />
    </Labelled>
  );
}

/** A field to choose a picture. Browsers do not fill it in again when a form is shown again. */
export function FileField(
  props: Pick<BoundField, "name" | "label" | "hint"> & { accept: string } & FieldError,
) {
  return (
    <Labelled {...props}>
      <input id={props.name} name={props.name} type="file" accept={props.accept} {...ariaAttributes(props)} />
    </Labelled>
  );
}

export type BoundArea = Omit<BoundField, "type"> & { rows?: number };
type AreaProps = BoundArea & FieldError;

export function TextArea(props: AreaProps) {
  const { name, value = "", rows = 4 } = props;
  return (
    <Labelled {...props}>
      <textarea
        id={name}
        name={name}
        rows={String(rows)}
        required={props.required ?? false}
        maxlength={props.maxlength}
        placeholder={props.placeholder}
        dir="auto"
        {...ariaAttributes(props)}
        safe
      >
        {value}
      </textarea>
    </Labelled>
  );
}

export interface ChoiceOption {
  value: string;
  words: string;
  hint?: string;
  isOn?: boolean;
}

/** A drop-down list to choose one value. */
export function Select({
  name,
  label,
  hint,
  options,
}: {
  name: string;
  label: string;
  hint?: string | undefined;
  options: readonly ChoiceOption[];
}) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      <select id={name} name={name} {...ariaAttributes({ name, hint })}>
        {options.map(({ value, words, isOn }) => (
          <option value={value} selected={isOn ?? false} safe>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** Check boxes (`checkbox`) or radio buttons (`radio`), each with its own label. */
export function Choices({
  legend,
  hint,
  name,
  type = "checkbox",
  options,
}: {
  legend: string;
  hint?: string | undefined;
  name: string;
  type?: "checkbox" | "radio" | undefined;
  options: readonly ChoiceOption[];
}) {
  return (
    <fieldset class="choices">
      <legend safe>{legend}</legend>
      {hint && (
        <p class="hint" safe>
          {hint}
        </p>
      )}
      {options.map(({ value, words, hint: more, isOn }) => (
        <label class="choice">
          <input type={type} name={name} value={value} checked={isOn ?? false} />
          <span>
            <span dir="auto" safe>
              {words}
            </span>
            {more ? <small safe>{more}</small> : ""}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type ButtonKind = "primary" | "quiet" | "danger";

export function Button({
  children,
  kind = "primary",
  name,
  value,
}: PropsWithChildren<{ kind?: ButtonKind; name?: string; value?: string }>) {
  return (
    <button class={`button ${kind}`} name={name} value={value}>
      {children}
    </button>
  );
}

/** The submit button of a form. */
export function Submit({ children, kind = "primary" }: PropsWithChildren<{ kind?: ButtonKind }>) {
  return (
    <div class="actions">
      <Button kind={kind}>{children}</Button>
    </div>
  );
}

/** The refusal at the top of a form. A refusal of one field is shown at that field. */
export function Fault({
  ctx,
  error,
  fields = [],
}: {
  ctx: PageLocale;
  error: CoreError | undefined;
  fields?: readonly string[];
}) {
  if (!error || fields.some((name) => fieldErrorText(ctx, error, name))) return "";
  return (
    <p class="fault-box" role="alert" safe>
      {refusalText(ctx, error)}
    </p>
  );
}

/**
 * Shows on an empty page what the page will list and how to add an item. Has a drawing of an unfinished
 * gable.
 */
export function Empty({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <div class="empty">
      <svg viewBox="0 0 67 40" aria-hidden="true">
        <path class="laid" d="M.5 30.5h66v9H37v-4a3.5 3.5 0 0 0-7 0v4H.5z" />
        <path class="drawn" d="M6 20.5h55v9H6zM11.5 10.5h44v9h-44zM17 .5h33v9H17z" />
      </svg>
      <p class="empty-title" safe>
        {title}
      </p>
      <div>{children}</div>
    </div>
  );
}

/** A list of rows, or the text for an empty list. */
export function Rows<Node>({
  nodes,
  kind = "rows",
  empty,
  lead,
  row,
}: {
  nodes: readonly Node[];
  kind?: string;
  empty: string;
  lead: JSX.Element;
  row(node: Node): JSX.Element;
}) {
  if (nodes.length > 0) return <ul class={kind}>{nodes.map(row)}</ul>;
  return (
    <Empty title={empty}>
      <p>{lead}</p>
    </Empty>
  );
}

/** A secret, on the only page that shows it. */
export function Secret({
  label,
  value,
  id,
  children,
}: PropsWithChildren<{ label: string; value: string; id?: string }>) {
  return (
    <section class="secret" aria-label={label}>
      <p class="secret-label" safe>
        {label}
      </p>
      <code class="secret-value" id={id} tabindex="0" safe>
        {value}
      </code>
      <div class="hint">{children}</div>
    </section>
  );
}

export function Card({ title, children, kind }: PropsWithChildren<{ title?: string; kind?: string }>) {
  return (
    <section class={kind ? `card ${kind}` : "card"}>
      {title ? <h2 safe>{title}</h2> : ""}
      {children}
    </section>
  );
}

/**
 * A time in the reader's zone. The zone is named if the reader has not chosen one. Machines get the exact
 * time.
 */
export function Time({ ctx, at }: { ctx: PageLocale; at: number }) {
  return (
    <time datetime={isoTime(at)} title={momentOf(ctx, at)} safe>
      {formatMoment(ctx, at)}
    </time>
  );
}

function momentOf({ messages: { formats: forms }, zone }: PageLocale, at: number): string {
  const moment = forms.moment(at, zone.name);
  return zone.name === "UTC" ? moment : `${moment} (${zone.name})`;
}

/** The time before or after now, in the largest useful unit. */
export function Ago({ ctx, at }: { ctx: PageLocale & Pick<PageContext, "core">; at: number }) {
  return <TimeAs ctx={ctx} at={at} text={relativeTime(ctx.messages, at - ctx.core.clock.now())} />;
}

/** A time that is shown as `text`. */
export function TimeAs({ ctx, at, text }: { ctx: PageLocale; at: number; text: string }) {
  return (
    <time datetime={isoTime(at)} title={momentOf(ctx, at)} safe>
      {text}
    </time>
  );
}

export function relativeTime({ formats: forms, common: parts }: LocaleMessages, ms: number): string {
  return forms.ago(ms) ?? (ms > 0 ? parts.inAMoment : parts.justNow);
}

/** The link to the next page of a list. */
export function More({
  ctx,
  href,
  label = ctx.messages.common.older,
}: {
  ctx: Pick<PageContext, "messages">;
  href: string | null;
  label?: string;
}) {
  return href === null ? (
    ""
  ) : (
    <p class="more">
      <a class="button quiet" href={href} rel="next" safe>
        {label}
      </a>
    </p>
  );
}
