/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { DAY, HOUR } from "../../../core/base/clock.ts";
import { CoreError } from "../../../core/base/errors.ts";
import {
  listBuilders,
  MEMBER_STANDINGS,
  type MemberListEntry,
  type MemberListFilter,
} from "../../../core/identity/builders/member-list.ts";
import {
  CONTENT_STATES,
  type ContentFilter,
  LISTED_KINDS,
  type ListedContent,
  listModeratedContent,
} from "../../../core/services/moderation/content.ts";
import { Field, Select } from "../../parts/parts.tsx";
import { showAgainOnError } from "../../request/forms.ts";
import { filterOf, firstOf } from "../../request/paging.ts";
import type { PageAnswer, PageContext, PersonContext } from "../../request/route.ts";

/** How long ago the newest members or content began, in ms. */
const SINCES = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY } as const;
type Since = keyof typeof SINCES;

/** Names of the fields that a list filters by. A link to a bulk act repeats them. */
const FILTERS = [
  "username",
  "newSince",
  "inviter",
  "author",
  "network",
  "linkHost",
  "standing",
  "state",
  "kind",
];

function oneOf<Name extends string>(
  ctx: PageContext,
  field: string,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => name === filterOf(ctx, field));
}

function sinceOf(ctx: PageContext): number | undefined {
  const since = oneOf(ctx, "newSince", Object.keys(SINCES) as Since[]);
  return since && ctx.core.clock.now() - SINCES[since];
}

/** Returns the filter that the URL asks for. */
export function memberFilter(ctx: PageContext): MemberListFilter {
  return {
    username: filterOf(ctx, "username"),
    newSince: sinceOf(ctx),
    inviter: filterOf(ctx, "inviter"),
    network: filterOf(ctx, "network"),
    linkHost: filterOf(ctx, "linkHost"),
    standing: oneOf(ctx, "standing", MEMBER_STANDINGS),
  };
}

/** Returns the filter of content that the URL asks for. */
export function contentFilter(ctx: PageContext): ContentFilter {
  return {
    newSince: sinceOf(ctx),
    author: filterOf(ctx, "author"),
    inviter: filterOf(ctx, "inviter"),
    network: filterOf(ctx, "network"),
    linkHost: filterOf(ctx, "linkHost"),
    state: oneOf(ctx, "state", CONTENT_STATES),
    kind: oneOf(ctx, "kind", LISTED_KINDS),
  };
}

/** The newest content that the filter of the URL finds, up to `limit`. */
export function contentMatching(ctx: PersonContext, limit: number): readonly ListedContent[] {
  const filter = contentFilter(ctx);
  return firstOf(limit, (request) => listModeratedContent(ctx.core, ctx.person.caller, filter, request))
    .nodes;
}

/** Everyone whom the filter of the URL finds, up to `limit`. */
export function membersMatching(ctx: PersonContext, limit: number): readonly MemberListEntry[] {
  const filter = memberFilter(ctx);
  return firstOf(limit, (request) => listBuilders(ctx.core, ctx.person.caller, filter, request)).nodes;
}

/**
 * Shows a list, or its filter again with the error beside the field. A filter that names no member is an
 * error of the form, so the page does not answer with 404. `field` is that of an error without a field.
 */
export function showFilterAgain(
  work: () => PageAnswer | Promise<PageAnswer>,
  showForm: (error: CoreError) => PageAnswer | Promise<PageAnswer>,
  field = "username",
): Promise<PageAnswer> {
  return showAgainOnError(work, (error) => {
    const { code, params, message, details } = error;
    if (code !== "builder_unknown") return showForm(error);
    const detail = { path: field, code, ...(params ? { params } : {}), message };
    return showForm(new CoreError("unprocessable", code, params, message, { details: details ?? [detail] }));
  });
}

/** The values of the present filter, without the time, which has its own links. */
function filterValues(ctx: PageContext): string[] {
  const { filters } = ctx.messages.desk;
  const { standings, states, kinds } = filters;
  const chosen = { standing: standings, state: states, kind: kinds } as const;
  return FILTERS.filter((name) => name !== "newSince").flatMap((name) => {
    const value = filterOf(ctx, name);
    if (value === undefined) return [];
    const names: Readonly<Record<string, string>> = name in chosen ? chosen[name as keyof typeof chosen] : {};
    const text = Object.hasOwn(names, value) ? (names[value] ?? value) : value;
    return name in labels(ctx) ? [`${labels(ctx)[name as "author"]}: ${text}`] : [text];
  });
}

/** The labels of the fields whose value does not explain itself. */
function labels({ messages: { desk } }: PageContext) {
  const { author, inviter, network } = desk.filters;
  return { author, inviter, network };
}

/** The fields of the present filter, hidden in a form. */
function HiddenFilters({ ctx }: { ctx: PageContext }) {
  return (
    <>
      {FILTERS.map((name) => {
        const value = filterOf(ctx, name);
        return value === undefined ? "" : <input type="hidden" name={name} value={value} />;
      })}
    </>
  );
}

/** The address of the list with the other filters and this time. */
function sinceAddress(ctx: PageContext, action: string, since?: Since): string {
  const query = new URLSearchParams(
    FILTERS.flatMap((name) => {
      const value = name === "newSince" ? since : filterOf(ctx, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return query.size === 0 ? action : `${action}?${query}`;
}

/** A collapsible filter, and links to the newest entries, which need one click. */
export function FilterForm({
  ctx,
  action,
  error,
  children,
}: PropsWithChildren<{ ctx: PageContext; action: string; error: CoreError | undefined }>) {
  const messages = ctx.messages.desk.filters;
  const since = filterOf(ctx, "newSince");
  const values = filterValues(ctx);
  return (
    <div class="filters">
      <nav class="tabs" aria-label={messages.since}>
        <a href={sinceAddress(ctx, action)} aria-current={since === undefined ? "page" : undefined}>
          {messages.anyTime}
        </a>
        {(Object.keys(SINCES) as Since[]).map((name) => (
          <a href={sinceAddress(ctx, action, name)} aria-current={since === name ? "page" : undefined}>
            {messages.sinces[name]}
          </a>
        ))}
      </nav>
      <details class="more-filters" open={error !== undefined}>
        <summary>{messages.title}</summary>
        <form class="filter-fields" action={action} role="search">
          {since === undefined ? "" : <input type="hidden" name="newSince" value={since} />}
          {children}
          <div class="actions">
            <button class="button quiet">{messages.apply}</button>
          </div>
        </form>
      </details>
      {values.length === 0 || error ? (
        ""
      ) : (
        <p class="filter-values">
          {values.map((value) => (
            <bdi safe>{value}</bdi>
          ))}
          <a href={action}>{messages.clear}</a>
        </p>
      )}
    </div>
  );
}

export function TextFilter({
  ctx,
  name,
  label,
  error,
}: {
  ctx: PageContext;
  name: string;
  label: string;
  error?: CoreError | undefined;
}) {
  const value = filterOf(ctx, name) ?? "";
  return (
    <Field name={name} label={label} type="search" value={value} maxlength={253} ctx={ctx} error={error} />
  );
}

export function ChoiceFilter<Name extends string>({
  ctx,
  name,
  label,
  names,
  of,
}: {
  ctx: PageContext;
  name: string;
  label: string;
  names: readonly Name[];
  of: Readonly<Record<Name, string>>;
}) {
  const chosen = filterOf(ctx, name);
  return (
    <Select
      name={name}
      label={label}
      options={[
        { value: "", words: ctx.messages.desk.filters.any },
        ...names.map((value) => ({ value, words: of[value], isOn: value === chosen })),
      ]}
    />
  );
}

/**
 * A list whose rows have check boxes, and the acts on the selection. The form is a GET to the page that shows
 * the selection and asks for a reason. So the form changes nothing and works without scripts.
 */
export function SelectionForm({
  ctx,
  of,
  acts,
  children,
}: PropsWithChildren<{
  ctx: PageContext;
  of: "members" | "content";
  acts: readonly ("hide" | "restore" | "approve" | "warn" | "limit" | "suspend")[];
}>) {
  const { bulk, acts: names } = ctx.messages.desk;
  return (
    <form class="selection" action="/admin/bulk">
      <HiddenFilters ctx={ctx} />
      <input type="hidden" name="of" value={of} />
      <div class="selection-head">
        <label class="choice">
          <input type="checkbox" name="all" value="1" />
          <span>{of === "members" ? bulk.all : bulk.allContent}</span>
        </label>
        <div class="actions" role="group" aria-label={bulk.actions}>
          {acts.map((act) => (
            <button class="button quiet small" name="act" value={act}>
              {names[act]}
            </button>
          ))}
          <button class="button danger small" formaction="/admin/spam">
            {of === "members" ? bulk.spam : bulk.spamAuthors}
          </button>
        </div>
      </div>
      {children}
    </form>
  );
}

/** The check box of a row. */
export function SelectRow({ ctx, id, name }: { ctx: PageContext; id: string; name: string }) {
  return (
    <label class="select-row">
      <input type="checkbox" name="id" value={id} aria-label={ctx.messages.desk.bulk.select({ name })} />
    </label>
  );
}
