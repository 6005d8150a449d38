/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
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
import { slugsOf } from "../../../core/ground/slugs.ts";
import { field, orAgain, posted, slugged } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Choices, Empty, Fault, boundFields, Form, More, Select, Submit } from "../../parts/parts.tsx";
import { nextAddress } from "../../request/reading.ts";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { amount } from "./job-form.tsx";
import { fieldsOf, JobsHead, levelOptions, searchWords } from "./job-parts.tsx";

const HERE = "/jobs/filters";

/** Searches that go on by themselves: what is published and fits one is a match. */
export const filterPages = [
  personal("GET", HERE, (ask) => listView(ask)),
  posted(personal, HERE, newView, async (ask) => {
    const input = readFilter(ask.form);
    await ask.write(() => createJobFilter(ask.core, ask.person.caller, input));
    return { to: HERE, notice: "filter-saved" };
  }),
  personal("GET", `${HERE}/new`, (ask) => newView(ask)),
  personal("GET", `${HERE}/:id`, (ask) => editView(ask)),
  personal("POST", `${HERE}/:id`, (ask) => {
    const { id } = ownFilter(ask);
    return orAgain(
      async () => {
        const change = readFilter(ask.form);
        await ask.write(() => changeJobFilter(ask.core, ask.person.caller, id, change));
        return { to: HERE, notice: "saved" };
      },
      (error) => editView(ask, error),
    );
  }),
  personal("POST", `${HERE}/:id/delete`, async (ask) => {
    const id = ask.params["id"] ?? "";
    await ask.write(() => deleteJobFilter(ask.core, ask.person.caller, id));
    return { to: HERE, notice: "filter-deleted" };
  }),
];

function ownFilter(ask: PersonAsk): JobFilter {
  return getJobFilter(ask.core, ask.person.caller, ask.params["id"] ?? "");
}

/** A salary by itself, so that what is wrong with it is said of the very field. */
const Salary = JobFilterInput.properties.salary.anyOf[0];

function readFilter(form: URLSearchParams): JobFilterInput {
  const city = slugged(field(form, "city"));
  const min = amount(form, "min");
  const remote = form.get("remote");
  return check(JobFilterInput, {
    name: field(form, "name"),
    q: field(form, "q"),
    stack: slugsOf(form.getAll("stack").join(" ")),
    city: city === "" ? null : city,
    remote: remote === "true" ? true : remote === "false" ? false : null,
    seniority: form.getAll("seniority").filter(Boolean),
    salary:
      min === undefined ? null : check(Salary, { min, currency: field(form, "currency").toUpperCase() }),
  });
}

function listView(ask: PersonAsk): View {
  const page = listJobFilters(ask.core, ask.person.caller, {
    // All that one may have: they are looked over together.
    limit: FILTERS_MAX,
    cursor: ask.query.get("cursor") ?? undefined,
  });
  return {
    title: "Saved searches",
    body: (
      <>
        <JobsHead ask={ask} title="Saved searches" action={<NewLink />}>
          <p>Jobs that fit one of them are told to you and stand under Matches.</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title="No search saved yet">
            <p>Search the board, then save the search: from then on it goes on by itself.</p>
            <a class="button quiet" href="/jobs">
              To the board
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

function NewLink() {
  return (
    <a class="button primary" href={`${HERE}/new`}>
      New search
    </a>
  );
}

/** A search saved from the board is named by what it asks for, which is said once. */
function FilterRow({ filter, ask }: { filter: JobFilter; ask: PersonAsk }) {
  const words = filterWords(filter);
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${filter.id}`} safe>
            {filter.name}
          </a>
        </p>
        {words === filter.name ? (
          ""
        ) : (
          <p class="row-meta" safe>
            {words}
          </p>
        )}
      </div>
      <div class="actions">
        <a class="button quiet small" href={`/jobs?${new URLSearchParams(fieldsOf(searchOf(filter)))}`}>
          Search
        </a>
        <Form
          action={`${HERE}/${filter.id}/delete`}
          token={ask.formToken}
          kind="inline"
          label={`Delete ${filter.name}`}
        >
          <button class="button danger small">Delete</button>
        </Form>
      </div>
    </li>
  );
}

function searchOf({ q, stack, city, remote, seniority }: JobFilter): JobQuery {
  return { q: q || undefined, stack, city: city ?? undefined, remote: remote ?? undefined, seniority };
}

function filterWords(filter: JobFilter): string {
  const { salary } = filter;
  const words = searchWords(searchOf(filter));
  return salary === null ? words : `${words} · from ${salary.min.toLocaleString("en")} ${salary.currency}`;
}

function newView(ask: PersonAsk, error?: CoreError): View {
  return formView(ask, { title: "A new search", action: HERE, filter: undefined, error });
}

function editView(ask: PersonAsk, error?: CoreError): View {
  const filter = ownFilter(ask);
  return formView(ask, { title: "Edit the search", action: `${HERE}/${filter.id}`, filter, error });
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
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={HERE}>All saved searches</a>
          </p>
        </Heading>
        <Form action={action} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["name", "q", "stack", "city", "min", "currency"]} />
          <FilterFields ask={ask} filter={filter} error={error} />
          <Submit>Save</Submit>
        </Form>
      </>
    ),
  };
}

function FilterFields({
  ask,
  filter,
  error,
}: {
  ask: PersonAsk;
  filter: JobFilter | undefined;
  error: CoreError | undefined;
}) {
  const { form } = ask;
  const { Field } = boundFields(ask, error, {
    name: filter?.name,
    q: filter?.q,
    city: filter?.city ?? undefined,
    min: filter?.salary ? String(filter.salary.min) : undefined,
    currency: filter?.salary?.currency ?? "EUR",
  });
  const remote = form.get("remote") ?? String(filter?.remote ?? "");
  const stack = form.has("name") ? slugsOf(form.getAll("stack").join(" ")) : (filter?.stack ?? []);
  return (
    <>
      <Field name="name" label="Name" required />
      <Field name="q" label="Words" hint="All of them, in the title or the description." />
      <Field
        name="stack"
        label="Stack"
        hint="Any of them."
        value={stack.join(", ")}
        placeholder="rust, postgres"
      />
      <div class="pair">
        <Field name="city" label="City" placeholder="berlin" />
        <Select
          name="remote"
          label="Remote"
          options={[
            { value: "", words: "Remote or not" },
            { value: "true", words: "Fully remote, or in the city", isOn: remote === "true" },
            { value: "false", words: "Not remote", isOn: remote === "false" },
          ]}
        />
      </div>
      <Choices
        legend="Level"
        hint="Any of them; none for all."
        name="seniority"
        options={levelOptions(form.has("name") ? form.getAll("seniority") : (filter?.seniority ?? []))}
      />
      <fieldset class="money">
        <legend>The salary reaches, a year</legend>
        <Field name="min" label="Amount" type="number" />
        <Field name="currency" label="Currency" />
      </fieldset>
    </>
  );
}
