/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { DAY, HOUR } from "../../../core/base/clock.ts";
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
import { filterOf, firstOf } from "../../request/paging.ts";
import type { PageContext, PersonContext } from "../../request/route.ts";

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

/** Whether the URL has a filter beside the time, which has its own links. */
export function isFiltered(ctx: PageContext): boolean {
  return FILTERS.some((name) => name !== "newSince" && filterOf(ctx, name) !== undefined);
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
  children,
}: PropsWithChildren<{ ctx: PageContext; action: string }>) {
  const messages = ctx.messages.desk.filters;
  const since = filterOf(ctx, "newSince");
  return (
    <div class="filters">
      <nav class="tabs" aria-label={messages.since}>
        <a href={sinceAddress(ctx, action)} aria-current={since === undefined ? "page" : undefined}>
          {messages.any}
        </a>
        {(Object.keys(SINCES) as Since[]).map((name) => (
          <a href={sinceAddress(ctx, action, name)} aria-current={since === name ? "page" : undefined}>
            {messages.sinces[name]}
          </a>
        ))}
      </nav>
      <details class="more-filters" open={isFiltered(ctx)}>
        <summary>{messages.title}</summary>
        <form class="filter-fields" action={action} role="search">
          {since === undefined ? "" : <input type="hidden" name="newSince" value={since} />}
          {children}
          <div class="actions">
            <button class="button quiet">{messages.apply}</button>
            {isFiltered(ctx) ? <a href={action}>{messages.clear}</a> : ""}
          </div>
        </form>
      </details>
    </div>
  );
}

export function TextFilter({ ctx, name, label }: { ctx: PageContext; name: string; label: string }) {
  return <Field name={name} label={label} type="search" value={filterOf(ctx, name) ?? ""} maxlength={253} />;
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
    <input
      class="select-row"
      type="checkbox"
      name="id"
      value={id}
      aria-label={ctx.messages.desk.bulk.select({ name })}
    />
  );
}
