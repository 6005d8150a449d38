/** @jsxImportSource @kitajs/html */
import { listOwnJobs, searchJobs } from "../../../core/community/jobs/jobs.ts";
import { type Job, type JobQuery } from "../../../core/community/jobs/job.ts";
import { Button, Field, Form, More, Rows, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { readerPage, type PageAsk, type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { fieldsOf, JobRow, JobsHead, levelOptions, readSearch, searchWords } from "./job-parts.tsx";

/** The jobs board, and what one has published on it. */
export const jobPages = [
  readerPage("GET", "/jobs", (ask) => boardView(ask)),
  signedInPage("GET", "/jobs/mine", (ask) => ownView(ask)),
];

function boardView(ask: PageAsk): View {
  const words = ask.words.jobs.board;
  const search = readSearch(ask.query);
  const page = searchJobs(ask.core, readerOf(ask), search, pageRequest(ask));
  const isFiltered = fieldsOf(search).length > 0;
  return {
    title: ask.words.jobs.heading,
    linkPreview: {
      description: ask.words.jobs.heading,
      path: "/jobs",
      feed: { path: "/jobs/feed", title: ask.words.jobs.heading },
    },
    body: (
      <>
        <JobsHead ask={ask} title={ask.words.jobs.heading} action={ask.person ? <Publish ask={ask} /> : ""} />
        <Search ask={ask} search={search} />
        {isFiltered ? <ActiveFilters ask={ask} search={search} /> : ""}
        <Rows
          nodes={page.nodes}
          empty={isFiltered ? words.nothingFits : words.empty}
          lead={isFiltered ? words.fewer : words.first}
          row={(job) => <JobRow job={job} ask={ask} />}
        />
        <More ask={ask} href={nextAddress(ask, page)} words={words.more} />
      </>
    ),
  };
}

function Publish({ ask }: { ask: PageAsk }) {
  return (
    <a class="button primary" href="/jobs/new">
      {ask.words.jobs.publish}
    </a>
  );
}

function Search({ ask, search }: { ask: PageAsk; search: JobQuery }) {
  const words = ask.words.jobs.board;
  const value = (name: string): string => filterOf(ask, name) ?? "";
  return (
    <form class="search" action="/jobs" role="search" aria-label={ask.words.jobs.heading}>
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
            value={ask.query.getAll("stack").join(", ")}
            placeholder={words.stackExample}
          />
          <Field name="city" label={words.city} value={value("city")} placeholder={words.cityExample} />
          <Select
            name="seniority"
            label={words.level}
            options={[
              { value: "", words: words.any },
              ...levelOptions(ask.words, search.seniority?.slice(0, 1) ?? []),
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
function ActiveFilters({ ask, search }: { ask: PageAsk; search: JobQuery }) {
  const words = ask.words.jobs.board;
  const fields = fieldsOf(search);
  return (
    <div class="asked">
      <ul class="chips" aria-label={words.set}>
        {fields.map((field) => {
          const said = searchWords(ask.words, readSearch(new URLSearchParams([field])));
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
      {ask.person ? <SaveSearch ask={ask} search={search} /> : ""}
    </div>
  );
}

/** One button: what was searched for is the filter, and its words are its name. */
function SaveSearch({ ask, search }: { ask: PageAsk; search: JobQuery }) {
  const words = ask.words.jobs.board;
  return (
    <Form action="/jobs/filters" ask={ask} kind="save-search" label={words.this}>
      <input type="hidden" name="name" value={[...searchWords(ask.words, search)].slice(0, 100).join("")} />
      {fieldsOf(search).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button quiet small">{words.save}</button>
    </Form>
  );
}

function ownView(ask: PersonAsk): View {
  const words = ask.words.jobs.own;
  const page = listOwnJobs(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: words.title,
    body: (
      <>
        <JobsHead ask={ask} title={words.title} action={<Publish ask={ask} />}>
          <p>{words.lead}</p>
        </JobsHead>
        <Rows
          nodes={page.nodes}
          empty={words.empty}
          lead={words.first}
          row={(job) => (
            <JobRow job={job} ask={ask}>
              <p class="row-meta">
                <JobState ask={ask} job={job} />
              </p>
            </JobRow>
          )}
        />
        <More ask={ask} href={nextAddress(ask, page)} />
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

export function JobState({ ask, job }: { ask: PageAsk; job: Job }) {
  return <span class={`badge ${KINDS[job.state]}`}>{ask.words.jobs.states[job.state]}</span>;
}
