/** @jsxImportSource @kitajs/html */
import { DAY } from "../../../core/base/clock.ts";
import { changeJob, getJob, isPublisher, listJobsOf } from "../../../core/community/jobs/jobs.ts";
import { type Job } from "../../../core/community/jobs/job.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { openingOf } from "../../../core/base/title.ts";
import { Heading } from "../../parts/layout.tsx";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Ago, Button, Form } from "../../parts/parts.tsx";
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
  const words = ctx.words.jobs.job;
  const reader = readerOf(ctx);
  const job = getJob(ctx.core, reader, ctx.params["id"] ?? "");
  const isOwn = ctx.person !== undefined && isPublisher(reader, job);
  return {
    title: job.title,
    linkPreview: { description: openingOf(job.description, 200), kind: "article", path: `/jobs/${job.id}` },
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
            <a href="/jobs">{ctx.words.jobs.all}</a>
            {ctx.person && !isOwn ? <a href={`/report/${job.id}`}>{words.report}</a> : ""}
          </p>
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

/** The key facts of the job. */
function KeyFacts({ ctx, job }: { ctx: PageContext; job: Job }) {
  const words = ctx.words.jobs.job;
  return (
    <div class="sheet">
      <p class="pay">
        <strong safe>{salaryText(ctx.words, job.salary)}</strong>
        <span class="quietly">{words.salary}</span>
      </p>
      <dl class="particulars">
        <div>
          <dt>{words.place}</dt>
          <dd>
            {job.remote ? (
              words.orRemote({ place: <bdi safe>{job.location}</bdi> })
            ) : (
              <bdi safe>{job.location}</bdi>
            )}
          </dd>
        </div>
        <div>
          <dt>{words.level}</dt>
          <dd>{ctx.words.jobs.levels[job.seniority]}</dd>
        </div>
        {job.state === "open" && (
          <div>
            <dt>{words.left}</dt>
            <dd>{daysLeft(ctx, job)}</dd>
          </div>
        )}
        <div>
          <dt>{words.posted}</dt>
          <dd>
            <Posted job={job} ctx={ctx} />
          </dd>
        </div>
        {job.stack.length > 0 && (
          <div class="whole">
            <dt>{words.stack}</dt>
            <dd>
              <StackTags stack={job.stack} />
            </dd>
          </div>
        )}
        <div class="whole on-paper">
          <dt>{words.apply}</dt>
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
      <h2 dir="auto">{ctx.words.jobs.job.others({ company: <bdi safe>{job.company.name}</bdi> })}</h2>
      <ul class="rows">
        {otherJobs.map((other) => (
          <JobRow ctx={ctx} job={other} />
        ))}
      </ul>
    </section>
  );
}

function daysLeft({ core, words }: PageContext, { expiresAt }: Job): string {
  return words.jobs.job.daysLeft({ days: Math.ceil((expiresAt - core.clock.now()) / DAY) });
}

function Apply({ ctx, job }: { ctx: PageContext; job: Job }) {
  return (
    <a class="button primary" href={job.applyUrl} rel="nofollow noopener ugc">
      {ctx.words.jobs.job.apply}
    </a>
  );
}

/** When the job was posted, and by whom if that is known. */
function Posted({ job, ctx }: { job: Job; ctx: PageContext }) {
  const when = <Ago ctx={ctx} at={job.postedAt} />;
  const [publisher] = job.publishedBy === null ? [] : getProfiles(ctx.core, readerOf(ctx), [job.publishedBy]);
  if (!publisher) return when;
  return ctx.words.jobs.job.postedBy({
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
  const words = ctx.words.jobs.job;
  return (
    <div class="actions own">
      <a class="button quiet" href={`/jobs/${job.id}/edit`}>
        {words.edit}
      </a>
      {job.state === "open" ? <Switch job={job} ctx={ctx} act="close" words={words.close} /> : ""}
      {job.state === "closed" ? <Switch job={job} ctx={ctx} act="open" words={words.open} /> : ""}
      {job.state === "expired" ? <p class="hint">{words.expired}</p> : ""}
    </div>
  );
}

function Switch({ job, ctx, act, words }: { job: Job; ctx: PageContext; act: string; words: string }) {
  return (
    <Form action={`/jobs/${job.id}/${act}`} ctx={ctx} kind="inline">
      <Button kind="quiet">{words}</Button>
    </Form>
  );
}
