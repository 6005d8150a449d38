/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import { type CoreError, refuse } from "../../../core/ground/errors.ts";
import { changeJob, getJob, isPublisher, publishJob } from "../../../core/community/jobs/jobs.ts";
import { type Job, JobChange, JobDraft } from "../../../core/community/jobs/job.ts";
import { slugsOf } from "../../../core/ground/slugs.ts";
import { field, orAgain, posted, prose, slugged } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Fault, boundFields, Form, Select, Submit } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { levelOptions } from "./job-parts.tsx";

/** Publishing a job, and changing one that was published. */
export const jobFormPages = [
  personal("GET", "/jobs/new", (ask) => newView(ask)),
  posted(personal, "/jobs", newView, async (ask) => {
    const name = field(ask.form, "company.name");
    const slug = field(ask.form, "company.slug") || slugged(name);
    const draft = check(JobDraft, { ...readJob(ask.form), company: { name, slug } });
    const job = await ask.write(() => publishJob(ask.core, ask.person.caller, draft));
    return { to: `/jobs/${job.id}`, notice: "job-published" };
  }),
  personal("GET", "/jobs/:id/edit", (ask) => editView(ask)),
  personal("POST", "/jobs/:id/edit", (ask) => {
    const { id } = ownJob(ask);
    return orAgain(
      async () => {
        const { city = null, ...rest } = readJob(ask.form);
        const change = check(JobChange, { ...rest, city });
        await ask.write(() => changeJob(ask.core, ask.person.caller, id, change));
        return { to: `/jobs/${id}`, notice: "saved" };
      },
      (error) => editView(ask, error),
    );
  }),
];

/** Whatever was typed, in the shape of a draft; its rules stand in the core. */
function readJob(form: URLSearchParams) {
  const city = slugged(field(form, "city"));
  return {
    title: field(form, "title"),
    location: field(form, "location"),
    ...(city === "" ? {} : { city }),
    remote: form.get("remote") === "true",
    seniority: field(form, "seniority"),
    stack: slugsOf(field(form, "stack")),
    salary: {
      min: amount(form, "salary.min"),
      max: amount(form, "salary.max"),
      currency: field(form, "salary.currency").toUpperCase(),
    },
    description: prose(form, "description"),
    apply_url: field(form, "apply_url"),
  };
}

/** What is left empty is missing, and not nothing. */
export function amount(form: URLSearchParams, name: string): number | undefined {
  const typed = field(form, name);
  return typed === "" ? undefined : Number(typed);
}

function ownJob(ask: PersonAsk): Job {
  const job = getJob(ask.core, ask.person.caller, ask.params["id"] ?? "");
  if (!isPublisher(ask.person.caller, job)) throw refuse("job_not_yours");
  return job;
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const { Field } = boundFields(ask, error);
  return {
    title: "Publish a job",
    error,
    body: (
      <>
        <Heading title="Publish a job">
          <p>It stands on the board for sixty days, and whoever has saved a search that it fits is told.</p>
        </Heading>
        <Form action="/jobs" token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={[...FIELDS, "company.name", "company.slug"]} />
          <div class="pair">
            <Field name="company.name" label="Company" hint="As people know it." required />
            <Field
              name="company.slug"
              label="Its short name"
              hint="Made from the name where you leave it empty."
              placeholder="tidewater-systems"
            />
          </div>
          <JobFields ask={ask} job={undefined} error={error} />
          <Submit>Publish</Submit>
        </Form>
      </>
    ),
  };
}

function editView(ask: PersonAsk, error?: CoreError): View {
  const job = ownJob(ask);
  return {
    title: "Edit the job",
    error,
    body: (
      <>
        <Heading title="Edit the job">
          <p>
            For <bdi safe>{job.company.name}</bdi>.
          </p>
          <p>
            <a href={`/jobs/${job.id}`}>Back to the job</a>
          </p>
        </Heading>
        <Form action={`/jobs/${job.id}/edit`} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={FIELDS} />
          <JobFields ask={ask} job={job} error={error} />
          <Submit>Save</Submit>
        </Form>
      </>
    ),
  };
}

/** Those that say themselves what is wrong with them. */
const FIELDS = [
  "title",
  "location",
  "city",
  "stack",
  "salary.min",
  "salary.max",
  "salary.currency",
  "description",
  "apply_url",
];

function JobFields({
  ask,
  job,
  error,
}: {
  ask: PersonAsk;
  job: Job | undefined;
  error: CoreError | undefined;
}) {
  const { form } = ask;
  const isRemote = form.has("title") ? form.get("remote") === "true" : (job?.remote ?? false);
  const { Field, TextArea } = boundFields(ask, error, {
    title: job?.title,
    location: job?.location,
    city: job?.city ?? undefined,
    stack: job?.stack.join(", "),
    "salary.min": job && String(job.salary.min),
    "salary.max": job && String(job.salary.max),
    "salary.currency": job?.salary.currency ?? "EUR",
    description: job?.description,
    apply_url: job?.applyUrl,
  });
  return (
    <>
      <Field name="title" label="Title" required />
      <div class="pair">
        <Field name="location" label="Place, in words" placeholder="Berlin, Germany" required />
        <Field name="city" label="City to be found by" placeholder="berlin" />
      </div>
      <label class="choice">
        <input type="checkbox" name="remote" value="true" checked={isRemote} />
        <span>Can be done fully remote</span>
      </label>
      <div class="pair">
        <Select
          name="seniority"
          label="Level"
          options={levelOptions([form.get("seniority") ?? job?.seniority ?? "mid"])}
        />
        <Field name="stack" label="Stack" placeholder="rust, postgres" />
      </div>
      <fieldset class="money">
        <legend>Salary, a year</legend>
        <Field name="salary.min" label="From" type="number" required />
        <Field name="salary.max" label="To" type="number" required />
        <Field name="salary.currency" label="Currency" required />
      </fieldset>
      <TextArea
        name="description"
        label="What it is about"
        hint="Markdown, up to 20,000 characters."
        rows={10}
        required
      />
      <Field
        name="apply_url"
        label="Where to apply"
        hint="An address that begins with https://."
        type="url"
        required
      />
    </>
  );
}
