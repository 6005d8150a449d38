/** @jsxImportSource @kitajs/html */
import { FILTERS_MAX, listJobFilters } from "../../../core/community/jobs/job-filters.ts";
import { type JobMatch, listJobMatches } from "../../../core/community/jobs/matching.ts";
import { Empty, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/reading.ts";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { JobRow, JobsHead } from "./job-parts.tsx";

/** The jobs that fit what one looks for, and how well. */
export const matchPages = [personal("GET", "/jobs/matches", (ask) => matchesView(ask))];

function matchesView(ask: PersonAsk): View {
  const { core, person } = ask;
  const page = listJobMatches(core, person.caller, pageRequest(ask));
  const filters = listJobFilters(core, person.caller, { limit: FILTERS_MAX }).nodes;
  const names = new Map(filters.map(({ id, name }) => [id, name]));
  return {
    title: "Matches",
    body: (
      <>
        <JobsHead ask={ask} title="Matches">
          <p>Jobs that fit a search you have saved, the newest first.</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title={filters.length === 0 ? "No search saved yet" : "No match yet"}>
            <p>
              {filters.length === 0
                ? "Save a search of the board, and jobs that fit it come here by themselves."
                : "Jobs that are published from now on and fit one of your searches come here."}
            </p>
            {filters.length === 0 && (
              <a class="button quiet" href="/jobs">
                To the board
              </a>
            )}
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((match) => (
              <JobRow job={match.job} ask={ask}>
                <Fit match={match} filter={names.get(match.filterId ?? "")} />
              </JobRow>
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

/** How well it fits, and what that is made of. */
function Fit({ match, filter }: { match: JobMatch; filter: string | undefined }) {
  const percent = Math.round(match.score * 100);
  const reasons = reasonsOf(match.why);
  return (
    <div class="fit">
      <p>
        <strong>{`Fits to ${percent} %`}</strong>{" "}
        <span class="quietly" safe>
          {filter === undefined ? "a search that you have deleted" : `“${filter}”`}
        </span>
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map((reason) => (
            <li>{reason}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The parts of a score in words; a part that the search did not ask for is none. */
function reasonsOf({ stack, words, place, salary, seniority }: JobMatch["why"]): string[] {
  const reasons: string[] = [];
  if (words !== undefined) {
    if (words === 1) reasons.push("your words are in its title");
    else reasons.push(words > 0.5 ? "some of your words are in its title" : "your words are in its text");
  }
  if (stack !== undefined)
    reasons.push(stack === 1 ? "your stack" : `${Math.round(stack * 100)} % of the stack`);
  if (place !== undefined) reasons.push(place === 1 ? "the right place" : "remote, not in your city");
  if (salary !== undefined)
    reasons.push(salary === 1 ? "pays what you ask" : "its upper end pays what you ask");
  if (seniority !== undefined) reasons.push("your level");
  return reasons;
}
