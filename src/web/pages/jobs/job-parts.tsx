/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import {
  type Job,
  type JobListing,
  type JobQuery,
  SENIORITIES,
  type Seniority,
} from "../../../core/community/jobs/job.ts";
import { slugsOf } from "../../../core/base/slugs.ts";
import { slugged } from "../../request/forms.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Ago, type ChoiceOption } from "../../parts/parts.tsx";
import type { PageContext } from "../../request/route.ts";
import type { LocaleMessages } from "../../../locale/messages.ts";

const VIEWS = [
  { href: "/jobs", name: "board" },
  { href: "/jobs/matches", name: "matches" },
  { href: "/jobs/filters", name: "filters" },
  { href: "/jobs/mine", name: "mine" },
] as const;

/** The head of the pages about jobs. Members get links between these pages. */
export function JobsHead({
  ctx,
  title,
  action,
  children,
}: PropsWithChildren<{ ctx: PageContext; title: string; action?: JSX.Element }>) {
  const { heading, views } = ctx.messages.jobs;
  return (
    <>
      <Heading title={title} action={action ?? ""}>
        {children}
      </Heading>
      {ctx.person ? (
        <Views
          ctx={ctx}
          label={heading}
          views={VIEWS.map(({ href, name }) => ({ href, label: views[name] }))}
        />
      ) : (
        ""
      )}
    </>
  );
}

/** A job in a list. `children` are below it. */
export function JobRow({ ctx, job, children }: PropsWithChildren<{ ctx: PageContext; job: JobListing }>) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`/jobs/${job.id}`} safe>
            {job.title}
          </a>
        </p>
        <p class="row-meta">
          <bdi safe>{job.company.name}</bdi> · <bdi safe>{job.location}</bdi> ·{" "}
          <Ago ctx={ctx} at={job.postedAt} />
        </p>
        <StackTags stack={job.stack} />
        {children}
      </div>
      <p class="salary" safe>
        {salaryText(ctx.messages, job.salary)}
      </p>
    </li>
  );
}

/** The links are not for robots, because filtered lists have no end (robots.txt). */
export function StackTags({ stack }: { stack: readonly string[] }) {
  return (
    <ul class="tags">
      {stack.map((name) => (
        <li>
          <a class="tag" dir="auto" rel="nofollow" href={`/jobs?stack=${encodeURIComponent(name)}`} safe>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function salaryText(
  { jobs: { salary }, formats: { compact } }: LocaleMessages,
  { min, max, currency }: JobListing["salary"],
): string {
  return min === max
    ? salary.exact({ amount: compact(min), currency })
    : salary.range({ min: compact(min), max: compact(max), currency });
}

export function levelOptions({ jobs }: LocaleMessages, chosen: readonly string[]): ChoiceOption[] {
  return SENIORITIES.map((level) => ({
    value: level,
    words: jobs.levels[level],
    isOn: chosen.includes(level),
  }));
}

/** Reads a job search from a query or a form. Ignores empty fields, because forms send them. */
export function readSearch(params: URLSearchParams): JobQuery {
  const text = (name: string): string | undefined => params.get(name)?.trim() || undefined;
  const stack = slugsOf(params.getAll("stack").join(" "));
  const levels = SENIORITIES.filter((level) => params.getAll("seniority").includes(level));
  const city = text("city");
  const remote = text("remote");
  return {
    q: text("q")?.slice(0, 1000),
    stack: stack.length > 0 ? stack : undefined,
    city: city === undefined ? undefined : slugged(city),
    remote: remote === "true" ? true : remote === "false" ? false : undefined,
    seniority: levels.length > 0 ? levels : undefined,
  };
}

/** Returns a search as form or query fields. */
export function fieldsOf({ q, stack = [], city, remote, seniority = [] }: JobQuery): [string, string][] {
  return [
    ...(q ? [["q", q] as [string, string]] : []),
    ...stack.map((name): [string, string] => ["stack", name]),
    ...(city ? [["city", city] as [string, string]] : []),
    ...(remote === undefined ? [] : [["remote", String(remote)] as [string, string]]),
    ...seniority.map((level): [string, string] => ["seniority", level]),
  ];
}

/** Returns where to apply as text: a URL, or an email address without `mailto:`. */
export function applyText({ applyUrl }: Job): string {
  return applyUrl.replace(/^mailto:/i, "");
}

/** Describes a search in words. */
export function searchText(
  { jobs: { search, levels } }: LocaleMessages,
  { q, stack = [], city, remote, seniority = [] }: JobQuery,
): string {
  const location = city && remote ? search.cityOrRemote({ city }) : remote ? search.remote : city;
  const parts = [
    q,
    stack.join(", "),
    location,
    remote === false ? search.notRemote : "",
    seniority.map((level) => levels[level as Seniority]).join(", "),
  ].filter(Boolean);
  return parts.length === 0 ? search.every : parts.join(" · ");
}
