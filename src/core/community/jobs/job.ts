import { type Static, Type } from "@sinclair/typebox";
import { Choice, ContactUrl, ruled, ruledOrNull, Slug, Text, Whole, Word } from "../../base/check.ts";
import { Id, orNull, pickFields, Shown, Timestamp } from "../../base/view.ts";
import { JOB_STATES } from "./expiry.ts";
import type { Facets } from "./query.ts";

export const SENIORITIES = ["intern", "junior", "mid", "senior", "staff", "principal", "lead"] as const;
export type Seniority = (typeof SENIORITIES)[number];

/** Who a job is with. */
export const CompanyView = Type.Object(
  { name: Shown("What it is called.", "Tidewater Systems"), slug: Shown("Its slug.", "tidewater-systems") },
  { $id: "Company" },
);

/** What a job shows to whoever published it. */
export const JobView = Type.Object(
  {
    id: Id("job_01kafzq8e5f2r8v0j3n6s1t4wx"),
    title: Shown("What is wanted.", "Senior Rust Engineer"),
    company: CompanyView,
    location: Shown("Where, in words.", "Berlin, Germany"),
    stack: Type.Array(Type.String(), { description: "Stack slugs.", examples: [["rust", "postgres"]] }),
    salary: Type.Object(
      {
        min: Type.Integer({ description: "The lower end.", examples: [85_000] }),
        max: Type.Integer({ description: "The upper end.", examples: [110_000] }),
        currency: Shown("Three capitals, such as EUR.", "EUR"),
      },
      { $id: "Salary", description: "What a job pays, in whole units of the currency, a year." },
    ),
    postedAt: Timestamp({ description: "When it was published.", examples: ["2026-11-18T08:00:00.000Z"] }),
    description: Shown("Markdown.", "You will own the storage engine of …"),
    applyUrl: Type.String({
      format: "uri",
      description: "Where to apply: `https://`, or `mailto:` and a mail address.",
      examples: ["https://tidewater-systems.example.com/careers/senior-rust-engineer"],
    }),
    city: orNull(Type.String(), {
      description: "City slug; null where none was named.",
      examples: ["berlin"],
    }),
    remote: Type.Boolean({ description: "Whether it is fully remote." }),
    seniority: Choice(SENIORITIES, "How much experience it takes.", ["senior"]),
    state: Choice(JOB_STATES, "`open`: on the board. In any other state only whoever published it finds it."),
    expiresAt: Timestamp({
      description: "When it leaves the board: 60 days after it was published.",
      examples: ["2027-01-17T08:00:00.000Z"],
    }),
  },
  { $id: "OwnJob" },
);

/** What of it stands in lists. */
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
  /** The builder's id; null where the operator published it, or that builder is gone. */
  publishedBy: string | null;
}

/** All that was published of a job, without the state it is in. */
export type JobFull = Omit<Job, "state" | "expiresAt">;

/** What a search asks for (docs/contract.md#V4.8); every part narrows what the others left. */
export const JobQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      // Whatever the alphabet, so many still fit encoded (12 letters for one) into the 16 KiB that Bun reads
      // as headers: more would meet a 431 without a body instead of our 400.
      max: 1000,
      description:
        'Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error.',
      examples: ['rust "distributed systems" engin*'],
    }),
  ),
  stack: Type.Optional(
    Type.Array(Slug(), {
      maxItems: 20,
      description: "Stack slugs, any of.",
      examples: [["rust", "postgres"]],
    }),
  ),
  city: Type.Optional(
    Slug({ description: "City slug; with `remote=true`, that city or fully remote.", examples: ["berlin"] }),
  ),
  remote: Type.Optional(
    Type.Boolean({
      description:
        "`true`: fully remote roles, beside those of `city` where it is given. `false`: none of them.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
  seniority: Type.Optional(
    Type.Array(Choice(SENIORITIES), {
      maxItems: SENIORITIES.length,
      description: "Any of these levels.",
      examples: [["senior", "staff"]],
    }),
  ),
});
export interface JobQuery extends Facets {
  q?: string | undefined;
}

export const Currency = Word("^[A-Z]{3}$", ruled("not_currency"));

const fields = {
  title: Text({ max: 200, visible: true, line: true, examples: ["Senior Rust Engineer"] }),
  location: Text({ max: 100, visible: true, line: true, examples: ["Berlin, Germany"] }),
  remote: Type.Boolean({ description: "Fully remote.", examples: [false], ...ruled("not_boolean") }),
  seniority: Choice(SENIORITIES, "How much experience it takes.", ["senior"]),
  stack: Type.Array(Slug(), { maxItems: 20, examples: [["rust", "postgres"]] }),
  salary: Type.Object(
    { min: Whole(0, 1_000_000_000), max: Whole(0, 1_000_000_000), currency: Currency },
    {
      description: "Whole units of the currency, a year.",
      examples: [{ min: 85_000, max: 110_000, currency: "EUR" }],
    },
  ),
  description: Text({
    max: 20_000,
    visible: true,
    description: "Markdown.",
    examples: ["You will own the **storage engine**."],
  }),
  apply_url: ContactUrl({ examples: ["https://tidewater-systems.example.com/careers/1"] }),
};

export const JobDraft = Type.Object({
  ...fields,
  company: Type.Object(
    { name: Text({ max: 100, visible: true, line: true }), slug: Slug() },
    {
      description: "Made on first use of the slug, in your workspace; from then on its name stands.",
      examples: [{ name: "Tidewater Systems", slug: "tidewater-systems" }],
    },
  ),
  city: Type.Optional(
    Slug({ description: "May be left out where the job is fully remote.", examples: ["berlin"] }),
  ),
});
export type JobDraft = Static<typeof JobDraft>;

export const JobChange = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  city: Type.Optional(
    Type.Union([Slug(), Type.Null()], {
      description: "null for none.",
      examples: ["berlin"],
      ...ruledOrNull("not_slug"),
    }),
  ),
  open: Type.Optional(
    Type.Boolean({
      description:
        "`false` takes the job off the board, `true` puts it back for what is left of its 60 days.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
});
export type JobChange = Static<typeof JobChange>;
