/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import {
  changeJobFilter,
  createJobFilter,
  deleteJobFilter,
  FILTERS_MAX,
  getJobFilter,
  type JobFilter,
  JobFilterInput,
  listJobFilters,
} from "../../../core/community/jobs/job-filters.ts";
import type { JobQuery } from "../../../core/community/jobs/job.ts";
import { field, showAgainOnError, formPage, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Empty, Form, More, Submit } from "../../parts/parts.tsx";
import { nextAddress } from "../../request/paging.ts";
import {
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withRepeats,
} from "../../request/route.ts";
import type { LocaleMessages } from "../../../locale/messages.ts";
import { fieldsOf, JobsHead, searchText } from "./job-parts.tsx";

const HERE = "/jobs/filters";

/** Saved job searches. A new job that fits a search is a match. */
export const filterPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  withRepeats(
    formPage(signedInPage, HERE, newView, async (ctx) => {
      const input = readFilter(ctx.form);
      await ctx.write(() => createJobFilter(ctx.core, ctx.person.caller, input));
      return { to: HERE, notice: "filter-saved" };
    }),
    "seniority",
    // The job board sends one field for each item of the stack.
    "stack",
  ),
  signedInPage("GET", `${HERE}/new`, (ctx) => newView(ctx)),
  signedInPage("GET", `${HERE}/:id`, (ctx) => editView(ctx)),
  withRepeats(
    signedInPage("POST", `${HERE}/:id`, (ctx) => {
      const { id } = ownFilter(ctx);
      return showAgainOnError(
        async () => {
          const change = readFilter(ctx.form);
          await ctx.write(() => changeJobFilter(ctx.core, ctx.person.caller, id, change));
          return { to: HERE, notice: "saved" };
        },
        (error) => editView(ctx, error),
      );
    }),
    "seniority",
  ),
  signedInPage("POST", `${HERE}/:id/delete`, async (ctx) => {
    const filter = ownFilter(ctx);
    await ctx.write(() => deleteJobFilter(ctx.core, ctx.person.caller, filter.id));
    return { to: `${HERE}?${new URLSearchParams(savedFields(filter))}`, notice: "filter-deleted" };
  }),
];

function ownFilter(ctx: PersonContext): JobFilter {
  return getJobFilter(ctx.core, ctx.person.caller, ctx.params["id"] ?? "");
}

/** The salary schema without null, so that an error names the exact field. */
const Salary = JobFilterInput.properties.salary.anyOf[0];

function readFilter(form: URLSearchParams): JobFilterInput {
  const hasSalary = field(form, "min") !== "";
  return readDraft(JobFilterInput, form, {
    remote: { true: true, false: false }[field(form, "remote")] ?? null,
    salary: hasSalary ? readDraft(Salary, form) : null,
  });
}

function listView(ctx: PersonContext): View {
  const messages = ctx.messages.jobs.filters;
  const page = listJobFilters(ctx.core, ctx.person.caller, {
    // The page shows all searches of a member, because a member may save at most this number.
    limit: FILTERS_MAX,
    cursor: ctx.query.get("cursor") ?? undefined,
  });
  return {
    title: ctx.messages.jobs.views.filters,
    ...(ctx.query.get("notice") === "filter-deleted" ? { undo: <Undo ctx={ctx} /> } : {}),
    body: (
      <>
        <JobsHead ctx={ctx} title={ctx.messages.jobs.views.filters} action={<NewLink ctx={ctx} />}>
          <p>{messages.lead}</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.first}</p>
            <a class="button quiet" href="/jobs">
              {ctx.messages.jobs.toBoard}
            </a>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((filter) => (
              <FilterRow filter={filter} ctx={ctx} />
            ))}
          </ul>
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

/** The button that saves a search again after its deletion. The URL contains the fields of the search. */
function Undo({ ctx }: { ctx: PersonContext }) {
  return (
    <Form action={HERE} ctx={ctx} kind="inline">
      {SAVED.flatMap((name) =>
        ctx.query.getAll(name).map((value) => <input type="hidden" name={name} value={value} />),
      )}
      <button class="link">{ctx.messages.common.undo}</button>
    </Form>
  );
}

/** The fields of the form that saves a search. */
const SAVED = ["name", "q", "stack", "city", "remote", "seniority", "min", "currency"] as const;

/** Returns a search as form fields. */
function savedFields(filter: JobFilter): [string, string][] {
  const { name, salary } = filter;
  return [
    ["name", name],
    ...fieldsOf(searchOf(filter)),
    ...(salary === null
      ? []
      : ([
          ["min", String(salary.min)],
          ["currency", salary.currency],
        ] as [string, string][])),
  ];
}

function NewLink({ ctx }: { ctx: PageContext }) {
  return (
    <a class="button primary" href={`${HERE}/new`}>
      {ctx.messages.jobs.filters.newOne}
    </a>
  );
}

/** A search saved from the board is named after its criteria, so they are not shown twice. */
function FilterRow({ filter, ctx }: { filter: JobFilter; ctx: PersonContext }) {
  const messages = ctx.messages.jobs.filters;
  const searchSummary = filterText(ctx.messages, filter);
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${filter.id}`} safe>
            {filter.name}
          </a>
        </p>
        {searchSummary === filter.name ? (
          ""
        ) : (
          <p class="row-meta" safe>
            {searchSummary}
          </p>
        )}
      </div>
      <div class="actions">
        <a class="button quiet small" href={`/jobs?${new URLSearchParams(fieldsOf(searchOf(filter)))}`}>
          {messages.search}
        </a>
        <Form
          action={`${HERE}/${filter.id}/delete`}
          ctx={ctx}
          kind="inline"
          label={messages.deleteOf({ name: filter.name })}
        >
          <button class="button danger small">{messages.delete}</button>
        </Form>
      </div>
    </li>
  );
}

function searchOf({ q, stack, city, remote, seniority }: JobFilter): JobQuery {
  return { q: q || undefined, stack, city: city ?? undefined, remote: remote ?? undefined, seniority };
}

function filterText(messages: LocaleMessages, filter: JobFilter): string {
  const { salary } = filter;
  const searchSummary = searchText(messages, searchOf(filter));
  return salary === null
    ? searchSummary
    : `${searchSummary} · ${messages.jobs.search.from({ salary: salary.min, currency: salary.currency })}`;
}

function newView(ctx: PersonContext, error?: CoreError): View {
  return formView(ctx, { title: ctx.messages.jobs.filters.newTitle, action: HERE, filter: undefined, error });
}

function editView(ctx: PersonContext, error?: CoreError): View {
  const filter = ownFilter(ctx);
  return formView(ctx, {
    title: ctx.messages.jobs.filters.editTitle,
    action: `${HERE}/${filter.id}`,
    filter,
    error,
  });
}

function formView(
  ctx: PersonContext,
  {
    title,
    action,
    filter,
    error,
  }: { title: string; action: string; filter: JobFilter | undefined; error: CoreError | undefined },
): View {
  const messages = ctx.messages.jobs.filters;
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={HERE}>{messages.all}</a>
          </p>
        </Heading>
        <FilterForm ctx={ctx} action={action} filter={filter} error={error} />
      </>
    ),
  };
}

function FilterForm({
  ctx,
  action,
  filter,
  error,
}: {
  ctx: PersonContext;
  action: string;
  filter: JobFilter | undefined;
  error: CoreError | undefined;
}) {
  const { filters, board } = ctx.messages.jobs;
  const messages = { ...board, ...filters };
  const stored = { ...filter, min: filter?.salary?.min, currency: filter?.salary?.currency ?? "EUR" };
  const { Form, Field, Choices, Select } = formOf(ctx, JobFilterInput, { messages, error, stored });
  return (
    <Form action={action}>
      <Field name="name" />
      <Field name="q" label={board.words} hint={filters.wordsHint} />
      <Field name="stack" />
      <div class="pair">
        <Field name="city" />
        <Select
          name="remote"
          label={board.remote}
          values={["", "true", "false"]}
          option={(remote: string) =>
            remote === "" ? filters.either : remote === "true" ? filters.remote : filters.notRemote
          }
        />
      </div>
      <Choices
        name="seniority"
        of="level"
        option={(level: JobFilter["seniority"][number]) => ctx.messages.jobs.levels[level]}
      />
      <fieldset class="money">
        <legend>{filters.salary}</legend>
        <Field name="min" of="amount" type="number" />
        <Field name="currency" />
      </fieldset>
      <Submit>{filters.save}</Submit>
    </Form>
  );
}
