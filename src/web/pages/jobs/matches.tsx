/** @jsxImportSource @kitajs/html */
import { FILTERS_MAX, listJobFilters } from "../../../core/community/jobs/job-filters.ts";
import { type JobMatch, listJobMatches } from "../../../core/community/jobs/matching.ts";
import { countForPages, markKind } from "../../../core/services/notifications/notifications.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { Empty, More } from "../../parts/parts.tsx";
import { isFetchedAhead, nextAddress, pageRequest } from "../../request/paging.ts";
import { type PageContext, type PersonContext, signedInPage, type View } from "../../request/route.ts";
import type { LocaleMessages } from "../../../locale/messages.ts";
import { JobRow, JobsHead } from "./job-parts.tsx";

/** The jobs that match a member's searches, with their scores. */
export const matchPages = [
  signedInPage("GET", "/jobs/matches", async (ctx) => {
    await seeAll(ctx);
    return matchesView(ctx);
  }),
];

/** Marks the matches as read when the first page is opened, except in maintenance mode. */
async function seeAll(ctx: PersonContext): Promise<void> {
  const { core, person, query } = ctx;
  if (query.has("cursor") || isFetchedAhead(ctx) || maintenanceOf(core)) return;
  if (countForPages(core, person.caller).matches === 0) return;
  await core.db.write(() => markKind(core, person.caller, "job_match"));
}

function matchesView(ctx: PersonContext): View {
  const messages = ctx.messages.jobs.matches;
  const { core, person } = ctx;
  const page = listJobMatches(core, person.caller, pageRequest(ctx));
  const filters = listJobFilters(core, person.caller, { limit: FILTERS_MAX }).nodes;
  const names = new Map(filters.map(({ id, name }) => [id, name]));
  return {
    title: ctx.messages.jobs.views.matches,
    body: (
      <>
        <JobsHead ctx={ctx} title={ctx.messages.jobs.views.matches}>
          <p>{messages.lead}</p>
        </JobsHead>
        {page.nodes.length === 0 ? (
          <Empty title={filters.length === 0 ? messages.noSearch : messages.empty}>
            <p>{filters.length === 0 ? messages.noSearchLead : messages.emptyLead}</p>
            {filters.length === 0 && (
              <a class="button quiet" href="/jobs">
                {ctx.messages.jobs.toBoard}
              </a>
            )}
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((match) => (
              <JobRow job={match.job} ctx={ctx}>
                <MatchReasons ctx={ctx} match={match} filter={names.get(match.filterId ?? "")} />
              </JobRow>
            ))}
          </ul>
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

/** The score of a match and its parts. */
function MatchReasons({
  ctx,
  match,
  filter,
}: {
  ctx: PageContext;
  match: JobMatch;
  filter: string | undefined;
}) {
  const messages = ctx.messages.jobs.matches;
  const reasons = reasonsOf(messages.why, match.why);
  return (
    <div class="fit">
      <p>
        <strong>{messages.fits({ percent: Math.round(match.score * 100) })}</strong>{" "}
        <span class="quietly" safe>
          {filter === undefined ? messages.deleted : messages.quoted({ name: filter })}
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

/** Describes the parts of a score. Leaves out parts that the search does not ask for. */
function reasonsOf(
  why: LocaleMessages["jobs"]["matches"]["why"],
  { stack, words, place, salary, seniority }: JobMatch["why"],
): string[] {
  const reasons: string[] = [];
  if (words !== undefined) {
    if (words === 1) reasons.push(why.title);
    else reasons.push(words > 0.5 ? why.someInTitle : why.text);
  }
  if (stack !== undefined)
    reasons.push(stack === 1 ? why.stack : why.partOfStack({ percent: Math.round(stack * 100) }));
  if (place !== undefined) reasons.push(place === 1 ? why.place : why.remote);
  if (salary !== undefined) reasons.push(salary === 1 ? why.pays : why.upperPays);
  if (seniority !== undefined) reasons.push(why.level);
  return reasons;
}
