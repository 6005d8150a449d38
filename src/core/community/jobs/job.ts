import { type Static, Type } from "@sinclair/typebox";
import {
  Choice,
  ContactUrl,
  ruled,
  ruledOrNull,
  Slug,
  Text,
  WholeNumber,
  PatternText,
} from "../../base/check.ts";
import { Id, orNull, pickFields, DisplayText, Timestamp } from "../../base/view.ts";
import { JOB_STATES } from "./expiry.ts";
import type { Facets } from "./query.ts";

export const SENIORITIES = ["intern", "junior", "mid", "senior", "staff", "principal", "lead"] as const;
export type Seniority = (typeof SENIORITIES)[number];

/** The company that offers a job. */
export const CompanyView = Type.Object(
  {
    name: DisplayText("The name of the company.", "Tidewater Systems"),
    slug: DisplayText("The slug of the company.", "tidewater-systems"),
  },
  { $id: "Company" },
);

/** A job as its publisher sees it. */
export const JobView = Type.Object(
  {
    id: Id("job_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the job."),
    title: DisplayText("The job title.", "Senior Rust Engineer"),
    company: CompanyView,
    location: DisplayText("The place of work, as free text.", "Berlin, Germany"),
    stack: Type.Array(Type.String(), {
      description: "The tech stack, as slugs.",
      examples: [["rust", "postgres"]],
    }),
    salary: Type.Object(
      {
        min: Type.Integer({ description: "The lower end of the range.", examples: [85_000] }),
        max: Type.Integer({ description: "The upper end of the range.", examples: [110_000] }),
        currency: DisplayText("The currency as three capital letters, such as `EUR`.", "EUR"),
      },
      { $id: "Salary", description: "The yearly salary range, in whole units of the currency." },
    ),
    postedAt: Timestamp({ description: "The time of publication.", examples: ["2026-11-18T08:00:00.000Z"] }),
    description: DisplayText("The description in Markdown.", "You will own the storage engine of …"),
    applyUrl: Type.String({
      format: "uri",
      description: "Where to apply: an `https://` URL, or `mailto:` and an email address.",
      examples: ["https://tidewater-systems.example.com/careers/senior-rust-engineer"],
    }),
    city: orNull(Type.String(), {
      description: "The city, as a slug. `null` if none was given.",
      examples: ["berlin"],
    }),
    remote: Type.Boolean({ description: "Whether the job is fully remote." }),
    seniority: Choice(SENIORITIES, "The seniority that the job asks for.", ["senior"]),
    state: Choice(
      JOB_STATES,
      "The state of the job. Only an `open` job is on the board. In any other state, the job is visible to its publisher and the moderators.",
    ),
    expiresAt: Timestamp({
      description: "The time at which the job leaves the board, 60 days after publication.",
      examples: ["2027-01-17T08:00:00.000Z"],
    }),
  },
  { $id: "OwnJob" },
);

/** The fields of a job that are shown in lists. */
export const JobListingView = pickFields("JobListing", JobView, [
  "id",
  "title",
  "company",
  "location",
  "stack",
  "salary",
  "postedAt",
]);

export interface JobListing extends Static<typeof JobListingView> {
  companyId: string;
}

export interface Job extends JobListing, Static<typeof JobView> {
  /**
   * Id of the publishing builder. Null if the operator published the job or the builder's account is deleted.
   */
  publishedBy: string | null;
}

/** The published content of a job, without its state. */
export type JobFull = Omit<Job, "state" | "expiresAt">;

/** A search of the job board (docs/contract.md#V4.8). Results must meet all criteria. */
export const JobQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      // The limit keeps the request headers below 16 KiB. If the headers are larger, Bun responds with 431
      // and no body. A query of 1,000 characters fits, even if each character is encoded as 12 characters.
      // Longer queries get our own 400 response.
      max: 1000,
      description:
        'Search words. Each must appear in the title or the description. You can use `"quoted phrases"`, and `*` at the end of a word. Any input is valid: there are no syntax errors.',
      examples: ['rust "distributed systems" engin*'],
    }),
  ),
  stack: Type.Optional(
    Type.Array(Slug(), {
      maxItems: 20,
      description: "Technologies, as slugs. A job matches if it has at least one of them.",
      examples: [["rust", "postgres"]],
    }),
  ),
  city: Type.Optional(
    Slug({
      description:
        "A city, as a slug. With `remote` set to `true`, jobs in that city and fully remote jobs match.",
      examples: ["berlin"],
    }),
  ),
  remote: Type.Optional(
    Type.Boolean({
      description:
        "`true` returns fully remote jobs and, if you send `city`, jobs in that city. `false` leaves out fully remote jobs.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
  seniority: Type.Optional(
    Type.Array(Choice(SENIORITIES), {
      maxItems: SENIORITIES.length,
      description: "Seniority levels. A job matches if it has at least one of them.",
      examples: [["senior", "staff"]],
    }),
  ),
});
export interface JobQuery extends Facets {
  q?: string | undefined;
}

export const Currency = PatternText("^[A-Z]{3}$", ruled("not_currency"), { description: "The currency." });

const fields = {
  title: Text({
    max: 200,
    visible: true,
    line: true,
    description: "The job title.",
    examples: ["Senior Rust Engineer"],
  }),
  location: Text({
    max: 100,
    visible: true,
    line: true,
    description: "The place of work, as free text.",
    examples: ["Berlin, Germany"],
  }),
  remote: Type.Boolean({
    description: "Whether the job is fully remote.",
    examples: [false],
    ...ruled("not_boolean"),
  }),
  seniority: Choice(SENIORITIES, "The seniority that the job asks for.", ["senior"]),
  stack: Type.Array(Slug(), {
    maxItems: 20,
    description: "The tech stack, as slugs.",
    examples: [["rust", "postgres"]],
  }),
  salary: Type.Object(
    {
      min: WholeNumber(0, 1_000_000_000, { description: "The lower end of the range." }),
      max: WholeNumber(0, 1_000_000_000, { description: "The upper end of the range." }),
      currency: Currency,
    },
    {
      description: "The yearly salary range, in whole units of the currency.",
      examples: [{ min: 85_000, max: 110_000, currency: "EUR" }],
    },
  ),
  description: Text({
    max: 20_000,
    visible: true,
    description: "The description in Markdown.",
    examples: ["You will own the **storage engine**."],
  }),
  apply_url: ContactUrl({
    description: "The URL where people apply.",
    examples: ["https://tidewater-systems.example.com/careers/1"],
  }),
};

export const JobDraft = Type.Object({
  ...fields,
  company: Type.Object(
    {
      name: Text({ max: 100, visible: true, line: true, description: "The name of the company." }),
      slug: Slug({ description: "The slug of the company." }),
    },
    {
      description:
        "The company. The first use of a slug creates the company in your workspace and sets its name.",
      examples: [{ name: "Tidewater Systems", slug: "tidewater-systems" }],
    },
  ),
  city: Type.Optional(
    Slug({ description: "The city, as a slug. Optional for a fully remote job.", examples: ["berlin"] }),
  ),
});
export type JobDraft = Static<typeof JobDraft>;

export const JobChange = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  city: Type.Optional(
    Type.Union([Slug(), Type.Null()], {
      description: "The city, as a slug. `null` removes the city.",
      examples: ["berlin"],
      ...ruledOrNull("not_slug"),
    }),
  ),
  open: Type.Optional(
    Type.Boolean({
      description:
        "`false` takes the job off the board. `true` puts the job back on the board for the rest of its 60 days.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
});
export type JobChange = Static<typeof JobChange>;
