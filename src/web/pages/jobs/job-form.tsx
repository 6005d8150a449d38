/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/base/check.ts";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { changeJob, getJob, isPublisher, publishJob } from "../../../core/community/jobs/jobs.ts";
import { type Job, JobChange, JobDraft } from "../../../core/community/jobs/job.ts";
import { slugsOf } from "../../../core/base/slugs.ts";
import { field, orAgain, posted, prose, slugged, orPreview, previewed } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Preview, SubmitOrLook } from "../../parts/preview.tsx";
import { Fault, boundFields, Form, GroupFault, Select } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { weave } from "../../parts/weave.ts";
import { applyWords, levelOptions } from "./job-parts.tsx";

/** Publishing a job, and changing one that was published. */
export const jobFormPages = [
  personal("GET", "/jobs/new", (ask) => newView(ask)),
  posted(
    previewed(personal, (ask) => newView(ask)),
    "/jobs",
    newView,
    async (ask) => {
      const name = field(ask.form, "company.name");
      const slug = field(ask.form, "company.slug") || slugged(name);
      const draft = check(JobDraft, { ...readJob(ask.form), company: { name, slug } });
      const job = await ask.write(() => publishJob(ask.core, ask.person.caller, draft));
      return { to: `/jobs/${job.id}`, notice: "job-published" };
    },
  ),
  personal("GET", "/jobs/:id/edit", (ask) => editView(ask)),
  personal(
    "POST",
    "/jobs/:id/edit",
    orPreview(
      (ask) => editView(ask),
      (ask) => {
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
      },
    ),
  ),
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
    apply_url: applyUrlOf(field(form, "apply_url")),
  };
}

/** People write a mail address without `mailto:`. */
function applyUrlOf(typed: string): string {
  return /^[^\s/:@]+@[^\s/:@]+$/.test(typed) ? `mailto:${typed}` : typed;
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
  const words = ask.words.jobs.form;
  const { Field } = boundFields(ask, error);
  return {
    title: ask.words.jobs.publish,
    error,
    body: (
      <>
        <Heading title={ask.words.jobs.publish}>
          <p>{words.lead}</p>
        </Heading>
        <Form action="/jobs" token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={[...FIELDS, "company.name", "company.slug"]} />
          <div class="pair">
            <Field name="company.name" label={words.company} hint={words.companyHint} required />
            <Field
              name="company.slug"
              label={words.short}
              hint={words.shortHint}
              placeholder={words.shortExample}
            />
          </div>
          <JobFields ask={ask} job={undefined} error={error} />
          <SubmitOrLook ask={ask}>{words.publish}</SubmitOrLook>
        </Form>
      </>
    ),
  };
}

function editView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.jobs.form;
  const job = ownJob(ask);
  return {
    title: words.editTitle,
    error,
    body: (
      <>
        <Heading title={words.editTitle}>
          <p>{weave(words.of, { company: <bdi safe>{job.company.name}</bdi> })}</p>
          <p>
            <a href={`/jobs/${job.id}`}>{words.back}</a>
          </p>
        </Heading>
        <Form action={`/jobs/${job.id}/edit`} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={FIELDS} />
          <JobFields ask={ask} job={job} error={error} />
          <SubmitOrLook ask={ask}>{words.save}</SubmitOrLook>
        </Form>
      </>
    ),
  };
}

/** Those that say themselves what is wrong with them. */
const FIELDS = ["title", "location", "city", "stack", "salary", "description", "apply_url"];

function JobFields({
  ask,
  job,
  error,
}: {
  ask: PersonAsk;
  job: Job | undefined;
  error: CoreError | undefined;
}) {
  const words = ask.words.jobs.form;
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
    apply_url: job && applyWords(job),
  });
  return (
    <>
      <Field name="title" label={words.title} required />
      <div class="pair">
        <Field name="location" label={words.location} placeholder={words.locationExample} required />
        <Field name="city" label={words.city} placeholder={ask.words.jobs.board.cityExample} />
      </div>
      <label class="choice">
        <input type="checkbox" name="remote" value="true" checked={isRemote} />
        <span>{words.remote}</span>
      </label>
      <div class="pair">
        <Select
          name="seniority"
          label={ask.words.jobs.board.level}
          options={levelOptions(ask.words, [form.get("seniority") ?? job?.seniority ?? "mid"])}
        />
        <Field
          name="stack"
          label={ask.words.jobs.board.stack}
          placeholder={ask.words.jobs.board.stackExample}
        />
      </div>
      <fieldset class="money">
        <legend>{words.salary}</legend>
        <Field name="salary.min" within="salary" label={words.from} type="number" required />
        <Field name="salary.max" within="salary" label={words.to} type="number" required />
        <Field name="salary.currency" label={words.currency} required />
        <GroupFault name="salary" ask={ask} error={error} />
      </fieldset>
      <Preview ask={ask} name="description" below={1} namesPeople={false} />
      <TextArea
        name="description"
        label={words.description}
        hint={words.descriptionHint}
        rows={10}
        required
      />
      <Field name="apply_url" label={words.apply} hint={words.applyHint} required />
    </>
  );
}
