/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { formOf } from "../../parts/draft-form.tsx";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { changeJob, getJob, isPublisher, publishJob } from "../../../core/community/jobs/jobs.ts";
import { type Job, JobChange, JobDraft } from "../../../core/community/jobs/job.ts";
import {
  field,
  showAgainOnError,
  formPage,
  readDraft,
  slugged,
  previewOrSubmit,
  previewedFormPage,
} from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { GroupFault } from "../../parts/parts.tsx";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { applyWords } from "./job-parts.tsx";

/** The form sends every field of a job, and none may be empty but the city. */
const WholeJob = Type.Required(Type.Omit(JobChange, ["open"]));

/** Publishing a job, and changing one that was published. */
export const jobFormPages = [
  signedInPage("GET", "/jobs/new", (ask) => newView(ask)),
  formPage(
    previewedFormPage(signedInPage, (ask) => newView(ask)),
    "/jobs",
    newView,
    async (ask) => {
      const name = field(ask.form, "company.name");
      const slug = field(ask.form, "company.slug") || slugged(name);
      const draft = readDraft(JobDraft, ask.form, { company: { name, slug }, apply_url: applyUrlIn(ask) });
      const job = await ask.write(() => publishJob(ask.core, ask.person.caller, draft));
      return { to: `/jobs/${job.id}`, notice: "job-published" };
    },
  ),
  signedInPage("GET", "/jobs/:id/edit", (ask) => editView(ask)),
  signedInPage(
    "POST",
    "/jobs/:id/edit",
    previewOrSubmit(
      (ask) => editView(ask),
      (ask) => {
        const { id } = ownJob(ask);
        return showAgainOnError(
          async () => {
            const change = readDraft(WholeJob, ask.form, { apply_url: applyUrlIn(ask) });
            await ask.write(() => changeJob(ask.core, ask.person.caller, id, change));
            return { to: `/jobs/${id}`, notice: "saved" };
          },
          (error) => editView(ask, error),
        );
      },
    ),
  ),
];

/** People write a mail address without `mailto:`. */
function applyUrlIn({ form }: PersonAsk): string {
  const typed = field(form, "apply_url");
  return /^[^\s/:@]+@[^\s/:@]+$/.test(typed) ? `mailto:${typed}` : typed;
}

function ownJob(ask: PersonAsk): Job {
  const job = getJob(ask.core, ask.person.caller, ask.params["id"] ?? "");
  if (!isPublisher(ask.person.caller, job)) throw refuse("job_not_yours");
  return job;
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.jobs.form;
  return {
    title: ask.words.jobs.publish,
    error,
    body: (
      <>
        <Heading title={ask.words.jobs.publish}>
          <p>{words.lead}</p>
        </Heading>
        <JobForm ask={ask} action="/jobs" job={undefined} error={error} />
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
          <p>{words.of({ company: <bdi safe>{job.company.name}</bdi> })}</p>
          <p>
            <a href={`/jobs/${job.id}`}>{words.back}</a>
          </p>
        </Heading>
        <JobForm ask={ask} action={`/jobs/${job.id}/edit`} job={job} error={error} />
      </>
    ),
  };
}

function JobForm({
  ask,
  action,
  job,
  error,
}: {
  ask: PersonAsk;
  action: string;
  job: Job | undefined;
  error: CoreError | undefined;
}) {
  const { board, form: own } = ask.words.jobs;
  const words = { ...board, ...own };
  const isRemote = ask.form.has("title") ? ask.form.get("remote") === "true" : (job?.remote ?? false);
  const stored = job
    ? { ...job, apply_url: applyWords(job) }
    : { seniority: "mid", salary: { currency: "EUR" } };
  const { Form, Field, TextArea, Select } = formOf(ask, JobDraft, { words, error, stored });
  return (
    <Form action={action}>
      {job ? (
        ""
      ) : (
        <div class="pair">
          <Field name="company.name" of="company" />
          <Field name="company.slug" of="short" required={false} />
        </div>
      )}
      <Field name="title" />
      <div class="pair">
        <Field name="location" />
        <Field name="city" />
      </div>
      <label class="choice">
        <input type="checkbox" name="remote" value="true" checked={isRemote} />
        <span>{own.remote}</span>
      </label>
      <div class="pair">
        <Select
          name="seniority"
          of="level"
          option={(level: Job["seniority"]) => ask.words.jobs.levels[level]}
        />
        <Field name="stack" />
      </div>
      <fieldset class="money">
        <legend>{own.salary}</legend>
        <Field name="salary.min" within="salary" of="from" />
        <Field name="salary.max" within="salary" of="to" />
        <Field name="salary.currency" of="currency" />
        <GroupFault name="salary" ask={ask} error={error} />
      </fieldset>
      <Preview ask={ask} name="description" below={1} namesPeople={false} />
      <TextArea name="description" rows={10} />
      <Field name="apply_url" of="apply" type="text" />
      <SubmitOrPreview ask={ask}>{job ? own.save : own.publish}</SubmitOrPreview>
    </Form>
  );
}
