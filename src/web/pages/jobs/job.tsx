/** @jsxImportSource @kitajs/html */
import { DAY } from "../../../core/ground/clock.ts";
import { changeJob, getJob, isPublisher } from "../../../core/community/jobs/jobs.ts";
import { type Job } from "../../../core/community/jobs/job.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { Heading } from "../../parts/layout.tsx";
import { renderMarkdown } from "../../../core/ground/markdown.ts";
import { Ago, Button, Form } from "../../parts/parts.tsx";
import { readerOf } from "../../request/reading.ts";
import {
  open,
  type PageAsk,
  type PersonAsk,
  personal,
  type View,
  type Redirect,
} from "../../request/route.ts";
import { levelWords, salaryWords, StackTags } from "./job-parts.tsx";
import { JobState } from "./jobs.tsx";

/** One job: what it is, how to apply, and what its publisher does with it. */
export const jobDetailPages = [
  open("GET", "/jobs/:id", (ask) => jobView(ask)),
  personal("POST", "/jobs/:id/close", (ask) => setOpen(ask, false)),
  personal("POST", "/jobs/:id/open", (ask) => setOpen(ask, true)),
];

async function setOpen(ask: PersonAsk, isOpen: boolean): Promise<Redirect> {
  const id = ask.params["id"] ?? "";
  await ask.write(() => changeJob(ask.core, ask.person.caller, id, { open: isOpen }));
  return { to: `/jobs/${id}`, notice: isOpen ? "job-opened" : "job-closed" };
}

function jobView(ask: PageAsk): View {
  const reader = readerOf(ask);
  const now = ask.core.clock.now();
  const job = getJob(ask.core, reader, ask.params["id"] ?? "");
  const isOwn = ask.person !== undefined && isPublisher(reader, job);
  return {
    title: job.title,
    body: (
      <>
        <Heading
          title={job.title}
          action={job.state === "open" ? <Apply job={job} /> : <JobState job={job} />}
        >
          <p>
            <bdi safe>{job.company.name}</bdi> · <bdi safe>{job.location}</bdi>
          </p>
        </Heading>
        <dl class="facts">
          <dt>Salary, a year</dt>
          <dd safe>{salaryWords(job.salary)}</dd>
          <dt>Level</dt>
          <dd>{levelWords(job.seniority)}</dd>
          <dt>Place</dt>
          <dd>
            <bdi safe>{job.location}</bdi>
            {job.remote ? ", or fully remote" : ""}
          </dd>
          {job.stack.length > 0 && (
            <>
              <dt>Stack</dt>
              <dd>
                <StackTags stack={job.stack} />
              </dd>
            </>
          )}
          <dt>Posted</dt>
          <dd>
            <Ago ask={ask} at={job.postedAt} />
            <Publisher job={job} ask={ask} />
          </dd>
          {job.state === "open" && (
            <>
              <dt>On the board for</dt>
              <dd>{daysLeft(job, now)}</dd>
            </>
          )}
        </dl>
        {isOwn ? <OwnActions job={job} ask={ask} /> : ""}
        <div class="prose part" dir="auto">
          {renderMarkdown(job.description, 1)}
        </div>
        {job.state === "open" && (
          <p class="part">
            <Apply job={job} />
          </p>
        )}
        <p class="part quiet-links">
          <a href="/jobs">All jobs</a>
          {ask.person && !isOwn ? <a href={`/report/${job.id}`}>Report this job</a> : ""}
        </p>
      </>
    ),
  };
}

function daysLeft({ expiresAt }: Job, now: number): string {
  const days = Math.ceil((expiresAt - now) / DAY);
  return days === 1 ? "its last day" : `${days} more days`;
}

function Apply({ job }: { job: Job }) {
  return (
    <a class="button primary" href={job.applyUrl} rel="nofollow noopener ugc">
      Apply
    </a>
  );
}

function Publisher({ job, ask }: { job: Job; ask: PageAsk }) {
  const [publisher] = job.publishedBy === null ? [] : getProfiles(ask.core, readerOf(ask), [job.publishedBy]);
  if (!publisher) return "";
  return (
    <>
      {" by "}
      <a href={`/@${publisher.username}`} dir="auto" safe>
        {publisher.name}
      </a>
    </>
  );
}

function OwnActions({ job, ask }: { job: Job; ask: PageAsk }) {
  return (
    <div class="actions part">
      <a class="button quiet" href={`/jobs/${job.id}/edit`}>
        Edit
      </a>
      {job.state === "open" ? <Switch job={job} ask={ask} act="close" words="Take it off the board" /> : ""}
      {job.state === "closed" ? <Switch job={job} ask={ask} act="open" words="Put it back" /> : ""}
      {job.state === "expired" ? <p class="hint">Its sixty days are over; publish it as a new one.</p> : ""}
    </div>
  );
}

function Switch({ job, ask, act, words }: { job: Job; ask: PageAsk; act: string; words: string }) {
  return (
    <Form action={`/jobs/${job.id}/${act}`} token={ask.formToken} kind="inline">
      <Button kind="quiet">{words}</Button>
    </Form>
  );
}
