/** @jsxImportSource @kitajs/html */
import { DAY } from "../../../core/base/clock.ts";
import { changeJob, getJob, isPublisher, listJobsOf } from "../../../core/community/jobs/jobs.ts";
import { type Job } from "../../../core/community/jobs/job.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { openingOf } from "../../../core/base/title.ts";
import { jobPosting } from "../../parts/job-posting.ts";
import { Heading } from "../../parts/layout.tsx";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Ago, Button, Form } from "../../parts/parts.tsx";
import { ModerateSubject } from "../../parts/moderate-menu.tsx";
import { readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  type Redirect,
} from "../../request/route.ts";
import { applyText, JobRow, salaryText, StackTags } from "./job-parts.tsx";
import { JobState } from "./jobs.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

/** A job: its details, how to apply, and the actions of its publisher. */
export const jobDetailPages = [
  readerPage("GET", "/jobs/:id", (ctx) => jobView(ctx)),
  signedInPage("POST", "/jobs/:id/close", (ctx) => setOpen(ctx, false)),
  signedInPage("POST", "/jobs/:id/open", (ctx) => setOpen(ctx, true)),
];

async function setOpen(ctx: PersonContext, isOpen: boolean): Promise<Redirect> {
  const id = ctx.params["id"] ?? "";
  await ctx.write(() => changeJob(ctx.core, ctx.person.caller, id, { open: isOpen }));
  return { to: `/jobs/${id}`, notice: isOpen ? "job-opened" : "job-closed" };
}

function jobView(ctx: PageContext): View {
  const messages = ctx.messages.jobs.job;
  const reader = readerOf(ctx);
  const job = getJob(ctx.core, reader, ctx.params["id"] ?? "");
  const isOwn = ctx.person !== undefined && isPublisher(reader, job);
  return {
    title: job.title,
    linkPreview: {
      description: openingOf(`${factsLine(ctx, job)}\n\n${job.description}`, 200),
      kind: "article",
      path: `/jobs/${job.id}`,
      data: jobPosting(ctx.core, job),
    },
    isWide: true,
    body: (
      <div class="job">
        <Heading title={job.title} action={job.state === "open" ? "" : <JobState ctx={ctx} job={job} />}>
          <p>
            <bdi safe>{job.company.name}</bdi>
          </p>
        </Heading>
        <KeyFacts ctx={ctx} job={job} />
        <div class="job-text">
          {isOwn ? <OwnActions job={job} ctx={ctx} /> : ""}
          <div class="prose" dir="auto">
            {renderMarkdown(job.description, { below: 1, id: job.id })}
          </div>
          <OtherJobs ctx={ctx} job={job} />
          <p class="part quiet-links">
            <a href="/jobs">{ctx.messages.jobs.all}</a>
            {!isOwn ? <a href={`/report/${job.id}`}>{messages.report}</a> : ""}
          </p>
          <ModerateSubject ctx={ctx} id={job.id} />
        </div>
        {job.state === "open" ? (
          <p class="apply-bar">
            <Apply ctx={ctx} job={job} />
          </p>
        ) : (
          ""
        )}
      </div>
    ),
  };
}

/** The company, location and salary, in one line. */
function factsLine({ messages }: PageContext, { company, location, salary }: Job): string {
  return [company.name, location, ...(salary.max > 0 ? [salaryText(messages, salary)] : [])].join(" · ");
}

/** The key facts of the job. */
function KeyFacts({ ctx, job }: { ctx: PageContext; job: Job }) {
  const messages = ctx.messages.jobs.job;
  return (
    <div class="sheet">
      <p class="pay">
        <strong safe>{salaryText(ctx.messages, job.salary)}</strong>
        <span class="quietly">{messages.salary}</span>
      </p>
      <dl class="particulars">
        <div>
          <dt>{messages.place}</dt>
          <dd>
            {job.remote && !/\bremot/i.test(job.location) ? (
              messages.orRemote({ place: <bdi safe>{job.location}</bdi> })
            ) : (
              <bdi safe>{job.location}</bdi>
            )}
          </dd>
        </div>
        <div>
          <dt>{messages.level}</dt>
          <dd>{ctx.messages.jobs.levels[job.seniority]}</dd>
        </div>
        {job.state === "open" && (
          <div>
            <dt>{messages.left}</dt>
            <dd>{daysLeft(ctx, job)}</dd>
          </div>
        )}
        <div>
          <dt>{messages.posted}</dt>
          <dd>
            <Posted job={job} ctx={ctx} />
          </dd>
        </div>
        {job.stack.length > 0 && (
          <div class="whole">
            <dt>{messages.stack}</dt>
            <dd>
              <StackTags stack={job.stack} />
            </dd>
          </div>
        )}
        <div class="whole on-paper">
          <dt>{messages.apply}</dt>
          <dd safe>{applyText(job)}</dd>
        </div>
      </dl>
      {job.state === "open" ? (
        <p class="apply">
          <Apply ctx={ctx} job={job} />
        </p>
      ) : (
        ""
      )}
    </div>
  );
}

const OTHERS = 3;

/** Other jobs of the company, read with one statement. */
function OtherJobs({ ctx, job }: { ctx: PageContext; job: Job }) {
  const page = listJobsOf(ctx.core, readerOf(ctx), [job.companyId], { limit: OTHERS + 1 });
  const otherJobs = (page.get(job.companyId)?.nodes ?? []).filter(({ id }) => id !== job.id).slice(0, OTHERS);
  if (otherJobs.length === 0) return "";
  return (
    <section class="part others">
      <h2 dir="auto">{ctx.messages.jobs.job.others({ company: <bdi safe>{job.company.name}</bdi> })}</h2>
      <ul class="rows">
        {otherJobs.map((other) => (
          <JobRow ctx={ctx} job={other} />
        ))}
      </ul>
    </section>
  );
}

function daysLeft({ core, messages }: PageContext, { expiresAt }: Job): string {
  return messages.jobs.job.daysLeft({ days: Math.ceil((expiresAt - core.clock.now()) / DAY) });
}

function Apply({ ctx, job }: { ctx: PageContext; job: Job }) {
  return (
    <a class="button primary" href={job.applyUrl} rel="nofollow noopener ugc">
      {ctx.messages.jobs.job.apply}
    </a>
  );
}

/** When the job was posted, and by whom if that is known. */
function Posted({ job, ctx }: { job: Job; ctx: PageContext }) {
  const when = <Ago ctx={ctx} at={job.postedAt} />;
  const [publisher] = job.publishedBy === null ? [] : getProfiles(ctx.core, readerOf(ctx), [job.publishedBy]);
  if (!publisher) return when;
  return ctx.messages.jobs.job.postedBy({
    when,
    publisher: (
      <>
        <a href={`/@${publisher.username}`} dir="auto" safe>
          {publisher.name}
        </a>
        <NotStaffMark ctx={ctx} who={publisher} />
      </>
    ),
  });
}

function OwnActions({ job, ctx }: { job: Job; ctx: PageContext }) {
  const messages = ctx.messages.jobs.job;
  return (
    <div class="actions own">
      <a class="button quiet" href={`/jobs/${job.id}/edit`}>
        {messages.edit}
      </a>
      {job.state === "open" ? <Switch job={job} ctx={ctx} act="close" label={messages.close} /> : ""}
      {job.state === "closed" ? <Switch job={job} ctx={ctx} act="open" label={messages.open} /> : ""}
      {job.state === "expired" ? <p class="hint">{messages.expired}</p> : ""}
    </div>
  );
}

function Switch({ job, ctx, act, label }: { job: Job; ctx: PageContext; act: string; label: string }) {
  return (
    <Form action={`/jobs/${job.id}/${act}`} ctx={ctx} kind="inline">
      <Button kind="quiet">{label}</Button>
    </Form>
  );
}
