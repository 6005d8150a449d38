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
import { type PageAsk, type PersonAsk, signedInPage, type View, withRepeats } from "../../request/route.ts";
import type { Words } from "../../../locale/words.ts";
import { fieldsOf, JobsHead, searchWords } from "./job-parts.tsx";

const HERE = "/jobs/filters";

/** Searches that go on by themselves: what is published and fits one is a match. */
export const filterPages = [
  signedInPage("GET", HERE, (ask) => listView(ask)),
  withRepeats(
    formPage(signedInPage, HERE, newView, async (ask) => {
      const input = readFilter(ask.form);
      await ask.write(() => createJobFilter(ask.core, ask.person.caller, input));
      return { to: HERE, notice: "filter-saved" };
    }),
    "seniority",
    // The board sends its search: one field for each of the stack.
    "stack",
  ),
  signedInPage("GET", `${HERE}/new`, (ask) => newView(ask)),
  signedInPage("GET", `${HERE}/:id`, (ask) => editView(ask)),
  withRepeats(
    signedInPage("POST", `${HERE}/:id`, (ask) => {
      const { id } = ownFilter(ask);
      return showAgainOnError(
        async () => {
          const change = readFilter(ask.form);
          await ask.write(() => changeJobFilter(ask.core, ask.person.caller, id, change));
          return { to: HERE, notice: "saved" };
        },
        (error) => editView(ask, error),
      );
    }),
    "seniority",
  ),
  signedInPage("POST", `${HERE}/:id/delete`, async (ask) => {
    const filter = ownFilter(ask);
    await ask.write(() => deleteJobFilter(ask.core, ask.person.caller, filter.id));
    return { to: `${HERE}?${new URLSearchParams(savedFields(filter))}`, notice: "filter-deleted" };
  }),
];

function ownFilter(ask: PersonAsk): JobFilter {
  return getJobFilter(ask.core, ask.person.caller, ask.params["id"] ?? "");
}

/** A salary by itself, so that what is wrong with it is said of the very field. */
const Salary = JobFilterInput.properties.salary.anyOf[0];

function readFilter(form: URLSearchParams): JobFilterInput {
  const hasSalary = field(form, "min") !== "";
  return readDraft(JobFilterInput, form, {
    remote: { true: true, false: false }[field(form, "remote")] ?? null,
    salary: hasSalary ? readDraft(Salary, form) : null,
  });
}

function listView(ask: PersonAsk): View {
  const words = ask.words.jobs.filters;
  const page = listJobFilters(ask.core, ask.person.caller, {
    // All that one may have: they are looked over together.
    limit: FILTERS_MAX,
    cursor: ask.query.get("cursor") ?? undefined,
  });
  return {
    title: ask.words.jobs.views.filters,
    ...(ask.query.get("notice") === "filter-deleted" ? { undo: <Undo ask={ask} /> } : {}),
    body: (
      <>
        <JobsHead ask={ask} title={ask.words.jobs.views.filters} action={<NewLink ask={ask} />}>
          <p>{words.lead}</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.first}</p>
            <a class="button quiet" href="/jobs">
              {ask.words.jobs.toBoard}
            </a>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((filter) => (
              <FilterRow filter={filter} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

/** Saves a search again that was just deleted: its address carries what it asked for. */
function Undo({ ask }: { ask: PersonAsk }) {
  return (
    <Form action={HERE} ask={ask} kind="inline">
      {SAVED.flatMap((name) =>
        ask.query.getAll(name).map((value) => <input type="hidden" name={name} value={value} />),
      )}
      <button class="link">{ask.words.common.undo}</button>
    </Form>
  );
}

/** The fields of the form that saves a search. */
const SAVED = ["name", "q", "stack", "city", "remote", "seniority", "min", "currency"] as const;

/** A search as the form that saves it sends it. */
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

function NewLink({ ask }: { ask: PageAsk }) {
  return (
    <a class="button primary" href={`${HERE}/new`}>
      {ask.words.jobs.filters.newOne}
    </a>
  );
}

/** A search saved from the board is named by what it asks for, which is said once. */
function FilterRow({ filter, ask }: { filter: JobFilter; ask: PersonAsk }) {
  const words = ask.words.jobs.filters;
  const asked = filterWords(ask.words, filter);
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${filter.id}`} safe>
            {filter.name}
          </a>
        </p>
        {asked === filter.name ? (
          ""
        ) : (
          <p class="row-meta" safe>
            {asked}
          </p>
        )}
      </div>
      <div class="actions">
        <a class="button quiet small" href={`/jobs?${new URLSearchParams(fieldsOf(searchOf(filter)))}`}>
          {words.search}
        </a>
        <Form
          action={`${HERE}/${filter.id}/delete`}
          ask={ask}
          kind="inline"
          label={words.deleteOf({ name: filter.name })}
        >
          <button class="button danger small">{words.delete}</button>
        </Form>
      </div>
    </li>
  );
}

function searchOf({ q, stack, city, remote, seniority }: JobFilter): JobQuery {
  return { q: q || undefined, stack, city: city ?? undefined, remote: remote ?? undefined, seniority };
}

function filterWords(words: Words, filter: JobFilter): string {
  const { salary } = filter;
  const asked = searchWords(words, searchOf(filter));
  return salary === null
    ? asked
    : `${asked} · ${words.jobs.search.from({ salary: salary.min, currency: salary.currency })}`;
}

function newView(ask: PersonAsk, error?: CoreError): View {
  return formView(ask, { title: ask.words.jobs.filters.newTitle, action: HERE, filter: undefined, error });
}

function editView(ask: PersonAsk, error?: CoreError): View {
  const filter = ownFilter(ask);
  return formView(ask, {
    title: ask.words.jobs.filters.editTitle,
    action: `${HERE}/${filter.id}`,
    filter,
    error,
  });
}

function formView(
  ask: PersonAsk,
  {
    title,
    action,
    filter,
    error,
  }: { title: string; action: string; filter: JobFilter | undefined; error: CoreError | undefined },
): View {
  const words = ask.words.jobs.filters;
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={HERE}>{words.all}</a>
          </p>
        </Heading>
        <FilterForm ask={ask} action={action} filter={filter} error={error} />
      </>
    ),
  };
}

function FilterForm({
  ask,
  action,
  filter,
  error,
}: {
  ask: PersonAsk;
  action: string;
  filter: JobFilter | undefined;
  error: CoreError | undefined;
}) {
  const { filters, board } = ask.words.jobs;
  const words = { ...board, ...filters };
  const stored = { ...filter, min: filter?.salary?.min, currency: filter?.salary?.currency ?? "EUR" };
  const { Form, Field, Choices, Select } = formOf(ask, JobFilterInput, { words, error, stored });
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
        option={(level: JobFilter["seniority"][number]) => ask.words.jobs.levels[level]}
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
