/** @jsxImportSource @kitajs/html */
import { listOwnJobs, searchJobs } from "../../../core/community/jobs/jobs.ts";
import { type Job, type JobQuery } from "../../../core/community/jobs/job.ts";
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
  const words = ctx.words.jobs.board;
  const search = readSearch(ctx.query);
  const page = searchJobs(ctx.core, readerOf(ctx), search, pageRequest(ctx));
  const isFiltered = fieldsOf(search).length > 0;
  return {
    title: ctx.words.jobs.heading,
    linkPreview: {
      description: ctx.words.jobs.heading,
      path: "/jobs",
      feed: { path: "/jobs/feed", title: ctx.words.jobs.heading },
    },
    body: (
      <>
        <JobsHead ctx={ctx} title={ctx.words.jobs.heading} action={ctx.person ? <Publish ctx={ctx} /> : ""} />
        <Search ctx={ctx} search={search} />
        {isFiltered ? <ActiveFilters ctx={ctx} search={search} /> : ""}
        <Rows
          nodes={page.nodes}
          empty={isFiltered ? words.nothingFits : words.empty}
          lead={isFiltered ? words.fewer : words.first}
          row={(job) => <JobRow job={job} ctx={ctx} />}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} words={words.more} />
      </>
    ),
  };
}

function Publish({ ctx }: { ctx: PageContext }) {
  return (
    <a class="button primary" href="/jobs/new">
      {ctx.words.jobs.publish}
    </a>
  );
}

function Search({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const words = ctx.words.jobs.board;
  const value = (name: string): string => filterOf(ctx, name) ?? "";
  return (
    <form class="search" action="/jobs" role="search" aria-label={ctx.words.jobs.heading}>
      <div class="search-words">
        <Field
          name="q"
          label={words.words}
          type="search"
          value={value("q")}
          placeholder={words.wordsExample}
        />
        <Button>{words.search}</Button>
      </div>
      <details class="search-more">
        <summary>{words.filters}</summary>
        <div class="search-fields">
          <Field
            name="stack"
            label={words.stack}
            value={ctx.query.getAll("stack").join(", ")}
            placeholder={words.stackExample}
          />
          <Field name="city" label={words.city} value={value("city")} placeholder={words.cityExample} />
          <Select
            name="seniority"
            label={words.level}
            options={[
              { value: "", words: words.any },
              ...levelOptions(ctx.words, search.seniority?.slice(0, 1) ?? []),
            ]}
          />
          <label class="choice">
            <input type="checkbox" name="remote" value="true" checked={search.remote === true} />
            <span>{words.remote}</span>
          </label>
          <Button kind="quiet">{words.search}</Button>
        </div>
      </details>
    </form>
  );
}

/** The active filters, each with a link that removes it. Members can save the search. */
function ActiveFilters({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const words = ctx.words.jobs.board;
  const fields = fieldsOf(search);
  return (
    <div class="asked">
      <ul class="chips" aria-label={words.set}>
        {fields.map((field) => {
          const said = searchText(ctx.words, readSearch(new URLSearchParams([field])));
          return (
            <li>
              <a
                class="chip"
                dir="auto"
                href={`/jobs?${new URLSearchParams(fields.filter((other) => other !== field))}`}
                aria-label={words.without({ what: said })}
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

/** A button that saves the current search. The search in words is its name. */
function SaveSearch({ ctx, search }: { ctx: PageContext; search: JobQuery }) {
  const words = ctx.words.jobs.board;
  return (
    <Form action="/jobs/filters" ctx={ctx} kind="save-search" label={words.this}>
      <input type="hidden" name="name" value={[...searchText(ctx.words, search)].slice(0, 100).join("")} />
      {fieldsOf(search).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button quiet small">{words.save}</button>
    </Form>
  );
}

function ownView(ctx: PersonContext): View {
  const words = ctx.words.jobs.own;
  const page = listOwnJobs(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: words.title,
    body: (
      <>
        <JobsHead ctx={ctx} title={words.title} action={<Publish ctx={ctx} />}>
          <p>{words.lead}</p>
        </JobsHead>
        <Rows
          nodes={page.nodes}
          empty={words.empty}
          lead={words.first}
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
  return <span class={`badge ${KINDS[job.state]}`}>{ctx.words.jobs.states[job.state]}</span>;
}
