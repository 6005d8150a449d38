/** @jsxImportSource @kitajs/html */
import { listOwnJobs, searchJobs } from "../../../core/community/jobs/jobs.ts";
import { type Job, type JobQuery } from "../../../core/community/jobs/job.ts";
import { Button, Empty, Field, Form, More, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/reading.ts";
import { open, type PageAsk, type PersonAsk, personal, type View } from "../../request/route.ts";
import { fieldsOf, JobRow, JobsHead, levelOptions, readSearch, searchWords } from "./job-parts.tsx";

/** The jobs board, and what one has published on it. */
export const jobPages = [
  open("GET", "/jobs", (ask) => boardView(ask)),
  personal("GET", "/jobs/mine", (ask) => ownView(ask)),
];

function boardView(ask: PageAsk): View {
  const search = readSearch(ask.query);
  const page = searchJobs(ask.core, readerOf(ask), search, pageRequest(ask));
  const isFiltered = fieldsOf(search).length > 0;
  return {
    title: "Jobs",
    body: (
      <>
        <JobsHead ask={ask} title="Jobs" action={ask.person ? <Publish /> : ""} />
        <Search ask={ask} search={search} />
        {isFiltered && ask.person ? <SaveSearch ask={ask} search={search} /> : ""}
        {page.nodes.length === 0 ? (
          <Empty title={isFiltered ? "Nothing fits that" : "No job on the board yet"}>
            <p>
              {isFiltered
                ? "Try fewer words, or leave a filter away."
                : "What people post here stays for sixty days."}
            </p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((job) => (
              <JobRow job={job} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} words="More" />
      </>
    ),
  };
}

function Publish() {
  return (
    <a class="button primary" href="/jobs/new">
      Publish a job
    </a>
  );
}

function Search({ ask, search }: { ask: PageAsk; search: JobQuery }) {
  const value = (name: string): string => filterOf(ask, name) ?? "";
  return (
    <form class="search" action="/jobs" role="search" aria-label="Jobs">
      <div class="search-words">
        <Field
          name="q"
          label="Words"
          type="search"
          value={value("q")}
          placeholder='"distributed systems" engin*'
        />
      </div>
      <Field
        name="stack"
        label="Stack"
        value={ask.query.getAll("stack").join(", ")}
        placeholder="rust, postgres"
      />
      <Field name="city" label="City" value={value("city")} placeholder="berlin" />
      <Select
        name="seniority"
        label="Level"
        options={[{ value: "", words: "Any" }, ...levelOptions(search.seniority?.slice(0, 1) ?? [])]}
      />
      <div class="search-end">
        <label class="choice">
          <input type="checkbox" name="remote" value="true" checked={search.remote === true} />
          <span>Remote</span>
        </label>
        <Button>Search</Button>
      </div>
    </form>
  );
}

/** One button: what was searched for is the filter, and its words are its name. */
function SaveSearch({ ask, search }: { ask: PageAsk; search: JobQuery }) {
  return (
    <Form action="/jobs/filters" token={ask.formToken} kind="save-search" label="This search">
      <p class="hint" dir="auto" safe>
        {searchWords(search)}
      </p>
      <input type="hidden" name="name" value={[...searchWords(search)].slice(0, 100).join("")} />
      {fieldsOf(search).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button kind="quiet">Save this search</Button>
    </Form>
  );
}

function ownView(ask: PersonAsk): View {
  const page = listOwnJobs(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: "Your jobs",
    body: (
      <>
        <JobsHead ask={ask} title="Your jobs" action={<Publish />}>
          <p>What you have published, also what is off the board.</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title="You have published no job">
            <p>A job stands on the board for sixty days and reaches everybody whose saved search it fits.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((job) => (
              <JobRow job={job} ask={ask}>
                <p class="row-meta">
                  <JobState job={job} />
                </p>
              </JobRow>
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

const STATES: Readonly<Record<Job["state"], { kind: string; words: string }>> = {
  open: { kind: "good", words: "On the board" },
  closed: { kind: "", words: "Closed" },
  hidden: { kind: "bad", words: "Hidden by moderators" },
  expired: { kind: "", words: "Its sixty days are over" },
};

export function JobState({ job }: { job: Job }) {
  const { kind, words } = STATES[job.state];
  return <span class={`badge ${kind}`}>{words}</span>;
}
