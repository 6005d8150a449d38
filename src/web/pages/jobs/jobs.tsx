/** @jsxImportSource @kitajs/html */
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { listOwnJobs, searchJobs } from "../../../core/community/jobs/jobs.ts";
import { type Job, type JobQuery } from "../../../core/community/jobs/job.ts";
import { waitingAmong } from "../../../core/community/holding/holding.ts";
import { Button, Field, Form, More, Rows, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { fieldsOf, JobRow, JobsHead, levelOptions, readSearch, searchText } from "./job-parts.tsx";

/** The job board, and the jobs that a member has published. */
export const jobPages = [
  readerPage("GET", "/jobs", (ctx) => boardView(ctx)),
  signedInPage("GET", "/jobs/mine", (ctx) => ownView(ctx)),
];

function boardView(ctx: PageContext): View {
  const messages = ctx.messages.jobs.board;
  const search = readSearch(ctx.query);
  const page = searchJobs(ctx.core, readerOf(ctx), search, pageRequest(ctx));
  const isFiltered = fieldsOf(search).length > 0;
  return {
    title: ctx.messages.jobs.heading,
    linkPreview: {
      description: ctx.messages.community.cards.jobs({ community: communitySettingsOf(ctx.core).name }),
      path: "/jobs",
      feed: { path: "/jobs/feed", title: ctx.messages.jobs.heading },
    },
    body: (
      <>
        <JobsHead
          ctx={ctx}
          title={ctx.messages.jobs.heading}
          action={ctx.person ? <Publish ctx={ctx} /> : ""}
        />
        <Search ctx={ctx} search={search} />
        {isFiltered ? <ActiveFilters ctx={ctx} search={search} /> : ""}
        <Rows
          nodes={page.nodes}
          empty={isFiltered ? messages.nothingFits : messages.empty}
          lead={isFiltered ? messages.fewer : messages.first}
          row={(job) => <JobRow job={job} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
      </>
    ),
  };
}

function Publish({ ctx }: { ctx: PageContext }) {
  return (
    <a class="button primary" href="/jobs/new">
      {ctx.messages.jobs.publish}
    </a>
  );
}

function Search({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const messages = ctx.messages.jobs.board;
  const value = (name: string): string => filterOf(ctx, name) ?? "";
  return (
    <form class="search" action="/jobs" role="search" aria-label={ctx.messages.jobs.heading}>
      <div class="search-words">
        <Field
          name="q"
          label={messages.words}
          type="search"
          value={value("q")}
          placeholder={messages.wordsExample}
        />
        <Button kind="quiet">{messages.search}</Button>
      </div>
      <details class="search-more">
        <summary>{messages.filters}</summary>
        <div class="search-fields">
          <Field
            name="stack"
            label={messages.stack}
            value={ctx.query.getAll("stack").join(", ")}
            placeholder={messages.stackExample}
          />
          <Field name="city" label={messages.city} value={value("city")} placeholder={messages.cityExample} />
          <Select
            name="seniority"
            label={messages.level}
            options={[
              { value: "", words: messages.any },
              ...levelOptions(ctx.messages, search.seniority?.slice(0, 1) ?? []),
            ]}
          />
          <label class="choice">
            <input type="checkbox" name="remote" value="true" checked={search.remote === true} />
            <span>{messages.remote}</span>
          </label>
          <Button kind="quiet">{messages.search}</Button>
        </div>
      </details>
    </form>
  );
}

/** The active filters, each with a link that removes it. Members can save the search. */
function ActiveFilters({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const messages = ctx.messages.jobs.board;
  const fields = fieldsOf(search);
  return (
    <div class="asked">
      <ul class="chips" aria-label={messages.set}>
        {fields.map((field) => {
          const said = searchText(ctx.messages, readSearch(new URLSearchParams([field])));
          return (
            <li>
              <a
                class="chip"
                dir="auto"
                href={`/jobs?${new URLSearchParams(fields.filter((other) => other !== field))}`}
                aria-label={messages.without({ what: said })}
                safe
              >
                {said}
              </a>
            </li>
          );
        })}
      </ul>
      {ctx.person ? <SaveSearch ctx={ctx} search={search} /> : ""}
    </div>
  );
}

/** A button that saves the current search. The name of the saved search is its description in words. */
function SaveSearch({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const messages = ctx.messages.jobs.board;
  return (
    <Form action="/jobs/filters" ctx={ctx} kind="save-search" label={messages.this}>
      <input type="hidden" name="name" value={[...searchText(ctx.messages, search)].slice(0, 100).join("")} />
      {fieldsOf(search).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button quiet small">{messages.save}</button>
    </Form>
  );
}

function ownView(ctx: PersonContext): View {
  const messages = ctx.messages.jobs.own;
  const page = listOwnJobs(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: messages.title,
    body: (
      <>
        <JobsHead ctx={ctx} title={messages.title} action={<Publish ctx={ctx} />}>
          <p>{messages.lead}</p>
        </JobsHead>
        <Rows
          nodes={page.nodes}
          empty={messages.empty}
          lead={messages.first}
          row={(job) => (
            <JobRow job={job} ctx={ctx}>
              <p class="row-meta">
                <JobState ctx={ctx} job={job} />
              </p>
            </JobRow>
          )}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

const KINDS: Readonly<Record<Job["state"], string>> = {
  open: "good",
  closed: "",
  hidden: "bad",
  expired: "",
};

export function JobState({ ctx, job }: { ctx: PageContext; job: Job }) {
  const isWaiting = waitingAmong(ctx.core, [{ id: job.id, isHidden: job.state === "hidden" }]).has(job.id);
  const messages = ctx.messages.jobs.states;
  return (
    <span class={`badge ${isWaiting ? "" : KINDS[job.state]}`}>
      {isWaiting ? messages.waiting : messages[job.state]}
    </span>
  );
}
