import { type Static, Type } from "@sinclair/typebox";
import type { Facets } from "./query.ts";
import { type FilterTerm, findTerm, type JobText } from "./indexed-text.ts";

/** Criteria of a saved filter. An omitted criterion or an empty list matches every job. */
export interface FilterCriteria extends Facets {
  terms: readonly FilterTerm[];
  /**
   * Yearly salary in whole units of the currency. A job in another currency does not match, because amounts
   * are not converted.
   */
  salary: { min: number; currency: string } | null;
}

/** The properties of a job that are checked by filters. */
export interface JobFacts {
  words: JobText;
  stack: readonly string[];
  city: string | null;
  remote: boolean;
  seniority: string;
  salary: { min: number; max: number; currency: string };
}

/**
 * Weights of the criteria in the score. Words and stack weigh most, because members choose jobs mainly by
 * words and stack.
 */
const WEIGHTS = { words: 3, stack: 3, place: 2, salary: 2, seniority: 1 } as const;

const met = (part: keyof typeof WEIGHTS, description: string, range = "From 0 to 1, with weight") =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: `${description} ${range} ${WEIGHTS[part]}.`,
    }),
  );

/** How well the job meets each criterion. Criteria that the filter does not use are left out. */
export const WhyView = Type.Object(
  {
    words: met(
      "words",
      "How well the search words match: 0.5 if all are only in the description, 1 if all are in the title.",
    ),
    stack: met(
      "stack",
      "How well the stack matches: the share of the shorter list (the filter's or the job's) that is also in the longer list.",
    ),
    place: met(
      "place",
      "How well the place matches: 0.8 if the filter names a city and the job is remote but elsewhere, otherwise 1.",
    ),
    salary: met(
      "salary",
      "How well the salary matches. 1 if the lower end of the job's range is at least the minimum. Otherwise 0.5 to 1: the value grows with the upper end of the range.",
    ),
    seniority: met(
      "seniority",
      "Always 1, because a job matches only if its seniority is one of those in the filter.",
      "The weight is",
    ),
  },
  {
    description: "A score for each condition of the filter. The overall score is their weighted mean.",
    examples: [{ stack: 1, place: 1, salary: 1, seniority: 1 }],
  },
);
export type Why = Static<typeof WhyView>;
type Part = keyof typeof WEIGHTS;

export interface MatchResult {
  /** Weighted mean of the criteria, from 0 to 1 with two decimals. A filter without criteria scores 1. */
  score: number;
  why: Why;
}

/**
 * Returns how well a job meets a filter, or undefined if the job fails a criterion. Words and facets have the
 * same meaning as in a search (docs/contract.md#4.5). A filter without a salary therefore matches the jobs
 * that a search with the same criteria finds.
 */
export function matchResultOf(criteria: FilterCriteria, job: JobFacts): MatchResult | undefined {
  const why: Why = {};
  for (const [part, measure] of Object.entries(MEASURES) as [Part, Measure][]) {
    const value = measure(criteria, job);
    if (value === undefined) return undefined;
    if (value !== "unasked") why[part] = round(value);
  }
  return { score: round(mean(why)), why };
}

/**
 * Returns how well a job meets a criterion, from 0 to 1. Returns undefined if the job does not meet the
 * criterion, and `unasked` if the filter does not use the criterion.
 */
type Measure = (wishes: FilterCriteria, job: JobFacts) => number | "unasked" | undefined;

/** Functions that check the criteria. The functions that reject a job fastest are first. */
const MEASURES: Readonly<Record<Part, Measure>> = {
  stack: stackFit,
  seniority: seniorityFit,
  place: locationFit,
  salary: salaryFit,
  words: wordsFit,
};

/** Returns the share of the shorter stack list that is also in the longer list. */
function stackFit({ stack = [] }: FilterCriteria, job: JobFacts): number | "unasked" | undefined {
  if (stack.length === 0) return "unasked";
  const shared = job.stack.filter((slug) => stack.includes(slug)).length;
  return shared === 0 ? undefined : shared / Math.min(new Set(stack).size, job.stack.length);
}

function seniorityFit({ seniority = [] }: FilterCriteria, job: JobFacts): number | "unasked" | undefined {
  if (seniority.length === 0) return "unasked";
  return seniority.includes(job.seniority) ? 1 : undefined;
}

/** With a city and `remote: true`, a remote job outside the city scores 0.8. */
function locationFit({ city, remote }: FilterCriteria, job: JobFacts): number | "unasked" | undefined {
  if (city === undefined && remote === undefined) return "unasked";
  const isInCity = city !== undefined && job.city === city;
  if (remote === true) return isInCity ? 1 : !job.remote ? undefined : city === undefined ? 1 : 0.8;
  if (remote === false && job.remote) return undefined;
  return city === undefined || isInCity ? 1 : undefined;
}

/**
 * Returns 1 if the job's minimum reaches the wanted minimum. Otherwise returns 0.5 to 1, depending on how
 * much of the job's salary range reaches the wanted minimum.
 */
function salaryFit({ salary }: FilterCriteria, job: JobFacts): number | "unasked" | undefined {
  if (salary === null) return "unasked";
  const { min, max, currency } = job.salary;
  if (currency !== salary.currency || max < salary.min) return undefined;
  return min >= salary.min ? 1 : 0.5 + (0.5 * (max - salary.min)) / (max - min);
}

/** Returns 0.5 if all terms are only in the description, and 1 if all are in the title. */
function wordsFit({ terms }: FilterCriteria, job: JobFacts): number | "unasked" | undefined {
  if (terms.length === 0) return "unasked";
  let inTitle = 0;
  for (const term of terms) {
    const where = findTerm(job.words, term);
    if (where === undefined) return undefined;
    if (where === "title") inTitle++;
  }
  return 0.5 + (0.5 * inTitle) / terms.length;
}

function mean(why: Why): number {
  const parts = Object.entries(why) as [Part, number][];
  if (parts.length === 0) return 1;
  const weight = parts.reduce((sum, [part]) => sum + WEIGHTS[part], 0);
  return parts.reduce((sum, [part, value]) => sum + WEIGHTS[part] * value, 0) / weight;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
