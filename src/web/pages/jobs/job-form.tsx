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
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { applyText } from "./job-parts.tsx";

/** The form sends every field of a job. Only the city may be empty. */
const CompleteJob = Type.Required(Type.Omit(JobChange, ["open"]));

/** Publishing and editing a job. */
export const jobFormPages = [
  signedInPage("GET", "/jobs/new", (ctx) => newView(ctx)),
  formPage(
    previewedFormPage(signedInPage, (ctx) => newView(ctx)),
    "/jobs",
    newView,
    async (ctx) => {
      const name = field(ctx.form, "company.name");
      const slug = field(ctx.form, "company.slug") || slugged(name);
      const draft = readDraft(JobDraft, ctx.form, { company: { name, slug }, apply_url: applyUrlIn(ctx) });
      const job = await ctx.write(() => publishJob(ctx.core, ctx.person.caller, draft));
      return { to: `/jobs/${job.id}`, notice: job.state === "hidden" ? "held" : "job-published" };
    },
  ),
  signedInPage("GET", "/jobs/:id/edit", (ctx) => editView(ctx)),
  signedInPage(
    "POST",
    "/jobs/:id/edit",
    previewOrSubmit(
      (ctx) => editView(ctx),
      (ctx) => {
        const { id } = ownJob(ctx);
        return showAgainOnError(
          async () => {
            const change = readDraft(CompleteJob, ctx.form, { apply_url: applyUrlIn(ctx) });
            await ctx.write(() => changeJob(ctx.core, ctx.person.caller, id, change));
            return { to: `/jobs/${id}`, notice: "saved" };
          },
          (error) => editView(ctx, error),
        );
      },
    ),
  ),
];

/** Adds `mailto:` to an email address. */
function applyUrlIn({ form }: PersonContext): string {
  const typed = field(form, "apply_url");
  return /^[^\s/:@]+@[^\s/:@]+$/.test(typed) ? `mailto:${typed}` : typed;
}

function ownJob(ctx: PersonContext): Job {
  const job = getJob(ctx.core, ctx.person.caller, ctx.params["id"] ?? "");
  if (!isPublisher(ctx.person.caller, job)) throw refuse("job_not_yours");
  return job;
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.jobs.form;
  return {
    title: ctx.messages.jobs.publish,
    error,
    body: (
      <>
        <Heading title={ctx.messages.jobs.publish}>
          <p>{messages.lead}</p>
        </Heading>
        <JobForm ctx={ctx} action="/jobs" job={undefined} error={error} />
      </>
    ),
  };
}

function editView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.jobs.form;
  const job = ownJob(ctx);
  return {
    title: messages.editTitle,
    error,
    body: (
      <>
        <Heading title={messages.editTitle}>
          <p>{messages.of({ company: <bdi safe>{job.company.name}</bdi> })}</p>
          <p>
            <a href={`/jobs/${job.id}`}>{messages.back}</a>
          </p>
        </Heading>
        <JobForm ctx={ctx} action={`/jobs/${job.id}/edit`} job={job} error={error} />
      </>
    ),
  };
}

function JobForm({
  ctx,
  action,
  job,
  error,
}: {
  ctx: PersonContext;
  action: string;
  job: Job | undefined;
  error: CoreError | undefined;
}) {
  const { board, form: own } = ctx.messages.jobs;
  const messages = { ...board, ...own };
  const isRemote = ctx.form.has("title") ? ctx.form.get("remote") === "true" : (job?.remote ?? false);
  const stored = job
    ? { ...job, apply_url: applyText(job) }
    : { seniority: "mid", salary: { currency: "EUR" } };
  const { Form, Field, TextArea, Select } = formOf(ctx, JobDraft, { messages, error, stored });
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
          option={(level: Job["seniority"]) => ctx.messages.jobs.levels[level]}
        />
        <Field name="stack" />
      </div>
      <fieldset class="money">
        <legend>{own.salary}</legend>
        <Field name="salary.min" within="salary" of="from" />
        <Field name="salary.max" within="salary" of="to" />
        <Field name="salary.currency" of="currency" />
        <GroupFault name="salary" ctx={ctx} error={error} />
      </fieldset>
      <Preview ctx={ctx} name="description" below={1} hasMentions={false} />
      <TextArea name="description" rows={10} />
      <Field name="apply_url" of="apply" type="text" />
      <SubmitOrPreview ctx={ctx}>{job ? own.save : own.publish}</SubmitOrPreview>
    </Form>
  );
}
