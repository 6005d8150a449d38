/** @jsxImportSource @kitajs/html */
import { DAY } from "../../../core/ground/clock.ts";
import { changeJob, getJob, isPublisher } from "../../../core/community/jobs/jobs.ts";
import { type Job } from "../../../core/community/jobs/job.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { openingOf } from "../../../core/ground/title.ts";
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
import { salaryWords, StackTags } from "./job-parts.tsx";
import { weave } from "../../parts/weave.ts";
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
  const words = ask.words.jobs.job;
  const reader = readerOf(ask);
  const job = getJob(ask.core, reader, ask.params["id"] ?? "");
  const isOwn = ask.person !== undefined && isPublisher(reader, job);
  return {
    title: job.title,
    card: { description: openingOf(job.description, 200), kind: "article", path: `/jobs/${job.id}` },
    body: (
      <>
        <Heading
          title={job.title}
          action={job.state === "open" ? <Apply ask={ask} job={job} /> : <JobState ask={ask} job={job} />}
        >
          <p>
            <bdi safe>{job.company.name}</bdi> · <bdi safe>{job.location}</bdi>
          </p>
        </Heading>
        <dl class="facts">
          <dt>{words.salary}</dt>
          <dd safe>{salaryWords(ask.words, job.salary)}</dd>
          <dt>{words.level}</dt>
          <dd>{ask.words.jobs.levels[job.seniority]}</dd>
          <dt>{words.place}</dt>
          <dd>
            {job.remote ? (
              weave(words.orRemote, { place: <bdi safe>{job.location}</bdi> })
            ) : (
              <bdi safe>{job.location}</bdi>
            )}
          </dd>
          {job.stack.length > 0 && (
            <>
              <dt>{words.stack}</dt>
              <dd>
                <StackTags stack={job.stack} />
              </dd>
            </>
          )}
          <dt>{words.posted}</dt>
          <dd>
            <Posted job={job} ask={ask} />
          </dd>
          {job.state === "open" && (
            <>
              <dt>{words.left}</dt>
              <dd>{daysLeft(ask, job)}</dd>
            </>
          )}
        </dl>
        {isOwn ? <OwnActions job={job} ask={ask} /> : ""}
        <div class="prose part" dir="auto">
          {renderMarkdown(job.description, { below: 1, id: job.id })}
        </div>
        {job.state === "open" && (
          <p class="part">
            <Apply ask={ask} job={job} />
          </p>
        )}
        <p class="part quiet-links">
          <a href="/jobs">{ask.words.jobs.all}</a>
          {ask.person && !isOwn ? <a href={`/report/${job.id}`}>{words.report}</a> : ""}
        </p>
      </>
    ),
  };
}

function daysLeft({ core, words }: PageAsk, { expiresAt }: Job): string {
  return words.jobs.job.daysLeft(Math.ceil((expiresAt - core.clock.now()) / DAY));
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
  return weave(ask.words.jobs.job.postedBy, {
    when,
    publisher: (
      <a href={`/@${publisher.username}`} dir="auto" safe>
        {publisher.name}
      </a>
    ),
  });
}

function OwnActions({ job, ask }: { job: Job; ask: PageAsk }) {
  const words = ask.words.jobs.job;
  return (
    <div class="actions part">
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
    <Form action={`/jobs/${job.id}/${act}`} token={ask.formToken} kind="inline">
      <Button kind="quiet">{words}</Button>
    </Form>
  );
}
