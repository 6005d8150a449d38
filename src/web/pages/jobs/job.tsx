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
  type PageAsk,
  type PersonAsk,
  signedInPage,
  type View,
  type Redirect,
} from "../../request/route.ts";
import { applyWords, JobRow, salaryWords, StackTags } from "./job-parts.tsx";
import { JobState } from "./jobs.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

/** One job: what it is, how to apply, and what its publisher does with it. */
export const jobDetailPages = [
  readerPage("GET", "/jobs/:id", (ask) => jobView(ask)),
  signedInPage("POST", "/jobs/:id/close", (ask) => setOpen(ask, false)),
  signedInPage("POST", "/jobs/:id/open", (ask) => setOpen(ask, true)),
];

async function setOpen(ask: PersonAsk, isOpen: boolean): Promise<Redirect> {
  const id = ask.params["id"] ?? "";
  await ask.write(() => changeJob(ask.core, ask.person.caller, id, { open: isOpen }));
  return { to: `/jobs/${id}`, notice: isOpen ? "job-opened" : "job-closed" };
}

function jobView(ask: PageAsk): View {
  const words = ask.words.jobs.job;
  const reader = readerOf(ask);
  const job = getJob(ask.core, reader, ask.params["id"] ?? "");
  const isOwn = ask.person !== undefined && isPublisher(reader, job);
  return {
    title: job.title,
    linkPreview: { description: openingOf(job.description, 200), kind: "article", path: `/jobs/${job.id}` },
    isWide: true,
    body: (
      <div class="job">
        <Heading title={job.title} action={job.state === "open" ? "" : <JobState ask={ask} job={job} />}>
          <p>
            <bdi safe>{job.company.name}</bdi>
          </p>
        </Heading>
        <Sheet ask={ask} job={job} />
        <div class="job-text">
          {isOwn ? <OwnActions job={job} ask={ask} /> : ""}
          <div class="prose" dir="auto">
            {renderMarkdown(job.description, { below: 1, id: job.id })}
          </div>
          <Others ask={ask} job={job} />
          <p class="part quiet-links">
            <a href="/jobs">{ask.words.jobs.all}</a>
            {ask.person && !isOwn ? <a href={`/report/${job.id}`}>{words.report}</a> : ""}
          </p>
        </div>
        {job.state === "open" ? (
          <p class="apply-bar">
            <Apply ask={ask} job={job} />
          </p>
        ) : (
          ""
        )}
      </div>
    ),
  };
}

/** The key facts of the job. */
function Sheet({ ask, job }: { ask: PageAsk; job: Job }) {
  const words = ask.words.jobs.job;
  return (
    <div class="sheet">
      <p class="pay">
        <strong safe>{salaryWords(ask.words, job.salary)}</strong>
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
          <dd>{ask.words.jobs.levels[job.seniority]}</dd>
        </div>
        {job.state === "open" && (
          <div>
            <dt>{words.left}</dt>
            <dd>{daysLeft(ask, job)}</dd>
          </div>
        )}
        <div>
          <dt>{words.posted}</dt>
          <dd>
            <Posted job={job} ask={ask} />
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
          <dd safe>{applyWords(job)}</dd>
        </div>
      </dl>
      {job.state === "open" ? (
        <p class="apply">
          <Apply ask={ask} job={job} />
        </p>
      ) : (
        ""
      )}
    </div>
  );
}

const OTHERS = 3;

/** Other jobs of the company, read with one statement. */
function Others({ ask, job }: { ask: PageAsk; job: Job }) {
  const page = listJobsOf(ask.core, readerOf(ask), [job.companyId], { limit: OTHERS + 1 });
  const others = (page.get(job.companyId)?.nodes ?? []).filter(({ id }) => id !== job.id).slice(0, OTHERS);
  if (others.length === 0) return "";
  return (
    <section class="part others">
      <h2 dir="auto">{ask.words.jobs.job.others({ company: <bdi safe>{job.company.name}</bdi> })}</h2>
      <ul class="rows">
        {others.map((other) => (
          <JobRow ask={ask} job={other} />
        ))}
      </ul>
    </section>
  );
}

function daysLeft({ core, words }: PageAsk, { expiresAt }: Job): string {
  return words.jobs.job.daysLeft({ days: Math.ceil((expiresAt - core.clock.now()) / DAY) });
}

function Apply({ ask, job }: { ask: PageAsk; job: Job }) {
  return (
    <a class="button primary" href={job.applyUrl} rel="nofollow noopener ugc">
      {ask.words.jobs.job.apply}
    </a>
  );
}

/** When, and by whom where that can be told. */
function Posted({ job, ask }: { job: Job; ask: PageAsk }) {
  const when = <Ago ask={ask} at={job.postedAt} />;
  const [publisher] = job.publishedBy === null ? [] : getProfiles(ask.core, readerOf(ask), [job.publishedBy]);
  if (!publisher) return when;
  return ask.words.jobs.job.postedBy({
    when,
    publisher: (
      <>
        <a href={`/@${publisher.username}`} dir="auto" safe>
          {publisher.name}
        </a>
        <NotStaffMark ask={ask} who={publisher} />
      </>
    ),
  });
}

function OwnActions({ job, ask }: { job: Job; ask: PageAsk }) {
  const words = ask.words.jobs.job;
  return (
    <div class="actions own">
      <a class="button quiet" href={`/jobs/${job.id}/edit`}>
        {words.edit}
      </a>
      {job.state === "open" ? <Switch job={job} ask={ask} act="close" words={words.close} /> : ""}
      {job.state === "closed" ? <Switch job={job} ask={ask} act="open" words={words.open} /> : ""}
      {job.state === "expired" ? <p class="hint">{words.expired}</p> : ""}
    </div>
  );
}

function Switch({ job, ask, act, words }: { job: Job; ask: PageAsk; act: string; words: string }) {
  return (
    <Form action={`/jobs/${job.id}/${act}`} ask={ask} kind="inline">
      <Button kind="quiet">{words}</Button>
    </Form>
  );
}
