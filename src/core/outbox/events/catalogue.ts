import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Choice } from "../../base/check.ts";
import { SCOPE_NAMES, type Scope } from "../../identity/access/scopes.ts";

export type EventSubject = "post" | "job" | "message";

/**
 * An event type: who may read it, who receives it, when it fires, and its payload (docs/contract.md#V6.7,
 * docs/contract.md#5). Subscriptions, event lists, logs, consent pages, documents and schemas are generated
 * from the catalogue.
 */
export interface EventKind<Data extends TSchema = TSchema> {
  /** Scope needed to read events of this type, by API or by webhook. */
  scope: Scope;
  /**
   * Readers of the event:
   * - `public`: everyone.
   * - `builder`: only one builder.
   * - `workspace`: all members of one workspace.
   * - `staff`: moderators and above. A webhook receives the event only while its owner is one of them.
   * - `endpoint`: nobody can subscribe to the type. The event is sent to one endpoint on request.
   */
  audience: "public" | "builder" | "workspace" | "staff" | "endpoint";
  /**
   * The kind of content whose text is part of an event of this type. The text is read from the content when
   * the event is read. Null for a type without such text (docs/contract.md#5.8).
   */
  subject: EventSubject | null;
  /** Text that completes “Fires when …” in the documents. */
  when: string;
  /** Label on pages where people choose event types or give consent. */
  label: string;
  data: Data;
  example: Static<Data>;
}

function kind<
  Data extends TSchema,
  Audience extends EventKind["audience"],
  Subject extends EventKind["subject"],
>(facts: EventKind<Data> & { audience: Audience; subject: Subject }) {
  return facts;
}

/** The common part of all example identifiers. */
export const EXAMPLE = "01kafzq8e5f2r8v0j3n6s1t4wx";
const id = (prefix: string, description: string) =>
  Type.String({ description, examples: [`${prefix}_${EXAMPLE}`] });
const uri = (description: string) => Type.String({ format: "uri", description });
const timestampOrNull = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

const PostPayload = Type.Object({
  post: Type.Object(
    {
      id: id("post", "The identifier of the post."),
      author_id: id("builder", "The identifier of the author."),
      title: Type.String({
        description: "The first heading or line of the text, as plain text of at most 80 characters.",
      }),
      url: uri("The URL of the web page."),
    },
    { description: "The post." },
  ),
});
const postExample = {
  post: {
    id: `post_${EXAMPLE}`,
    author_id: `builder_${EXAMPLE}`,
    title: "Shipped",
    url: `https://guild.example/posts/post_${EXAMPLE}`,
  },
};

export const CATALOGUE = {
  "post.created": kind({
    scope: "feed:read",
    audience: "public",
    subject: "post",
    when: "a post is published in the feed (replies fire no event)",
    label: "A post is published in the feed",
    data: PostPayload,
    example: postExample,
  }),
  "post.updated": kind({
    scope: "feed:read",
    audience: "public",
    subject: "post",
    when: "a post in the feed is edited, or is shown again after it was hidden",
    label: "A post is edited or shown again",
    data: PostPayload,
    example: postExample,
  }),
  "post.deleted": kind({
    scope: "feed:read",
    audience: "public",
    subject: null,
    when: "a post leaves the feed because it is deleted or hidden (not when an account is deleted)",
    label: "A post leaves the feed",
    data: Type.Object({
      post: Type.Object(
        { id: id("post", "The identifier of the post that left the feed.") },
        { description: "The post." },
      ),
    }),
    example: { post: { id: `post_${EXAMPLE}` } },
  }),
  "job.published": kind({
    scope: "jobs:read",
    audience: "public",
    subject: "job",
    when: "a job is published on the board (not when it is changed or reopened)",
    label: "A job is published on the board",
    data: Type.Object({
      job: Type.Object(
        {
          id: id("job", "The identifier of the job."),
          title: Type.String({ description: "The job title." }),
          company: Type.Object(
            {
              name: Type.String({ description: "The name of the company." }),
              slug: Type.String({ description: "The slug of the company." }),
            },
            { description: "The company." },
          ),
          url: uri("The URL of the web page."),
        },
        { description: "The job." },
      ),
    }),
    example: {
      job: {
        id: `job_${EXAMPLE}`,
        title: "Rust engineer",
        company: { name: "Tidewater Systems", slug: "tidewater-systems" },
        url: `https://guild.example/jobs/job_${EXAMPLE}`,
      },
    },
  }),
  "job.matched": kind({
    scope: "jobs:read",
    audience: "builder",
    subject: null,
    when: "a job matches a builder's saved filters (once for each builder and job)",
    label: "A job matches one of your filters",
    data: Type.Object({
      job_id: id("job", "The identifier of the job."),
      builder_id: id("builder", "The identifier of the builder whose filter matches."),
      score: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "How well the job fits the filter, from 0 to 1.",
      }),
    }),
    example: { job_id: `job_${EXAMPLE}`, builder_id: `builder_${EXAMPLE}`, score: 0.92 },
  }),
  "dm.received": kind({
    scope: "messages:read",
    audience: "builder",
    subject: "message",
    when: "a builder sends a direct message to your account",
    label: "You receive a direct message",
    data: Type.Object({
      thread_id: id("thr", "The identifier of the conversation."),
      from_id: id("builder", "The identifier of the sender."),
      preview: Type.String({
        description: "The beginning of the message as plain text, at most 140 characters.",
      }),
    }),
    example: {
      thread_id: `thr_${EXAMPLE}`,
      from_id: `builder_${EXAMPLE}`,
      preview: "Saw your talk. Coffee?",
    },
  }),
  "xp.level_up": kind({
    scope: "profile:read",
    audience: "public",
    subject: null,
    when: "a builder reaches a level for the first time",
    label: "A builder reaches a new level",
    data: Type.Object({
      user_id: id("builder", "The identifier of the builder."),
      from_level: Type.Integer({ description: "The previous level." }),
      to_level: Type.Integer({ description: "The new level." }),
      badge: Type.String({ description: "The badge of the new level." }),
    }),
    example: { user_id: `builder_${EXAMPLE}`, from_level: 1, to_level: 2, badge: "apprentice" },
  }),
  "builder.removed": kind({
    scope: "profile:read",
    audience: "public",
    subject: null,
    when: "a moderator removes a spammer with all content (once for each account; the posts fire no event)",
    label: "A spammer is removed with all content",
    data: Type.Object({
      builder: Type.Object(
        {
          id: id("builder", "The identifier of the removed builder."),
          username: Type.String({ description: "The username at that time." }),
        },
        { description: "The removed builder." },
      ),
    }),
    example: { builder: { id: `builder_${EXAMPLE}`, username: "mallory" } },
  }),
  "webhook.endpoint_disabled": kind({
    scope: "webhooks:read",
    audience: "workspace",
    subject: null,
    when: "an endpoint of the workspace has acknowledged nothing for 24 hours, and again when it is disabled",
    label: "A webhook endpoint fails for a day, or is disabled automatically",
    data: Type.Object({
      endpoint: Type.Object(
        {
          id: id("whe", "The identifier of the endpoint."),
          url: uri("The URL of the endpoint."),
          reason: Type.String({
            description:
              "The reason as a stable code: `failing_for_a_day`, `failing_for_days`, `gone`. More codes may be added.",
          }),
          failing_since: timestampOrNull(
            "The time of the first failure since the last acknowledged delivery.",
          ),
          disabled_at: timestampOrNull(
            "The time at which the endpoint was disabled. `null` if the endpoint is failing but not yet disabled.",
          ),
        },
        { description: "The endpoint." },
      ),
    }),
    example: {
      endpoint: {
        id: `whe_${EXAMPLE}`,
        url: "https://hooks.example.com/guildhall",
        reason: "failing_for_days",
        failing_since: "2026-11-15T09:30:00.000Z",
        disabled_at: "2026-11-20T09:30:00.000Z",
      },
    },
  }),
  "report.created": kind({
    scope: "moderation",
    audience: "staff",
    subject: null,
    when: "someone reports content or a builder to the moderators for the first time",
    label: "Someone reports content or a member",
    data: Type.Object({
      report: Type.Object(
        {
          id: id(
            "rpt",
            "The identifier of the report. A report by someone without an account begins with `srp_`.",
          ),
          subject_id: id("post", "The identifier of the reported post, job, prompt, message, or builder."),
          case_id: id("case", "The identifier of the case."),
        },
        { description: "The report." },
      ),
    }),
    example: { report: { id: `rpt_${EXAMPLE}`, subject_id: `post_${EXAMPLE}`, case_id: `case_${EXAMPLE}` } },
  }),
  "builder.joined": kind({
    scope: "moderation",
    audience: "staff",
    subject: null,
    when: "a builder joins the community (not when the operator creates the account)",
    label: "A member joins",
    data: Type.Object({
      builder: Type.Object(
        {
          id: id("builder", "The identifier of the builder."),
          username: Type.String({ description: "The username of the builder when they joined." }),
        },
        { description: "The builder." },
      ),
    }),
    example: { builder: { id: `builder_${EXAMPLE}`, username: "ada" } },
  }),
  "application.created": kind({
    scope: "moderation",
    audience: "staff",
    subject: null,
    when: "someone asks to join the community",
    label: "Someone asks to join",
    data: Type.Object({
      application: Type.Object(
        { id: id("apl", "The identifier of the application.") },
        { description: "The application." },
      ),
    }),
    example: { application: { id: `apl_${EXAMPLE}` } },
  }),
  "decision.made": kind({
    scope: "moderation",
    audience: "staff",
    subject: null,
    when: "a moderator, the operator, or an automatic brake decides about content or a builder, and when a decision is undone",
    label: "A moderation decision is made or undone",
    data: Type.Object({
      decision: Type.Object(
        {
          id: id("dec", "The identifier of the decision."),
          act: Type.String({ description: "The act as a code. More codes may be added." }),
          subject_id: id("post", "The identifier of the post, job, prompt, message, or builder."),
          builder_id: Type.Union([Type.String(), Type.Null()], {
            description:
              "The identifier of the builder whom the decision concerns. `null` for content of the operator.",
          }),
          moderator_id: Type.Union([Type.String(), Type.Null()], {
            description:
              "The identifier of the moderator. `null` for the operator and for automatic decisions.",
          }),
          is_undone: Type.Boolean({ description: "Whether the decision was undone." }),
        },
        { description: "The decision." },
      ),
    }),
    example: {
      decision: {
        id: `dec_${EXAMPLE}`,
        act: "hide",
        subject_id: `post_${EXAMPLE}`,
        builder_id: `builder_${EXAMPLE}`,
        moderator_id: `builder_${EXAMPLE}`,
        is_undone: false,
      },
    },
  }),
  "webhook.test": kind({
    scope: "webhooks:read",
    audience: "endpoint",
    subject: null,
    when: "someone tests an endpoint",
    label: "An endpoint is tested",
    data: Type.Object({ endpoint_id: id("whe", "The identifier of the tested endpoint.") }),
    example: { endpoint_id: `whe_${EXAMPLE}` },
  }),
} as const satisfies Record<string, EventKind>;

/** Every event type that can be sent. */
export type AnyEventType = keyof typeof CATALOGUE;
export const ALL_EVENT_NAMES = Object.keys(CATALOGUE) as AnyEventType[];

type OfAudience<Audience> = {
  [Type in AnyEventType]: (typeof CATALOGUE)[Type]["audience"] extends Audience ? Type : never;
}[AnyEventType];

/** Event types that endpoints can subscribe to. */
export type EventType = Exclude<AnyEventType, OfAudience<"endpoint">>;
export const EVENT_NAMES = ALL_EVENT_NAMES.filter(
  (type): type is EventType => CATALOGUE[type].audience !== "endpoint",
);

/** The event type in responses. A stored event can have a type that no longer exists. */
export const EventTypeView = Type.Unsafe<string>({
  ...Choice(ALL_EVENT_NAMES, "The type of an event. New types may be added."),
  $id: "EventType",
});
export const SubscribedTypeView = Type.Unsafe<EventType>({
  ...Choice(EVENT_NAMES, "An event type that endpoints can subscribe to. New types may be added."),
  $id: "SubscribedEventType",
});

export type PublicEventType = OfAudience<"public">;
/** Event types that only the builder concerned may read. */
export type PrivateEventType = OfAudience<"builder">;
/** Event types that the members of one workspace may read. */
export type WorkspaceEventType = OfAudience<"workspace">;

/** Event types that only the staff may read. */
export type StaffEventType = OfAudience<"staff">;
export const STAFF_EVENT_NAMES = ALL_EVENT_NAMES.filter(
  (type): type is StaffEventType => CATALOGUE[type].audience === "staff",
);

export type EventData = { [Type in AnyEventType]: Static<(typeof CATALOGUE)[Type]["data"]> };

export function isAnyEventType(name: string): name is AnyEventType {
  return Object.hasOwn(CATALOGUE, name);
}

export function isEventType(name: string): name is EventType {
  return (EVENT_NAMES as string[]).includes(name);
}

/** Returns the types that a reader with these scopes may read. */
export function readableTypes(scopes: ReadonlySet<Scope>): AnyEventType[] {
  return ALL_EVENT_NAMES.filter((type) => scopes.has(CATALOGUE[type].scope));
}

/** Returns `readableTypes` as a JSON parameter of an SQL statement. */
export function readableTypesJson(scopes: ReadonlySet<Scope>): string {
  return JSON.stringify(readableTypes(scopes));
}

/**
 * Returns the types that a scope permits reading. Consent pages list these types for apps that request
 * webhooks.
 */
export function typesOfScope(scope: Scope): EventType[] {
  return EVENT_NAMES.filter((type) => CATALOGUE[type].scope === scope);
}

/** Scopes that permit reading any event type, in the order of `SCOPE_NAMES`. */
export const EVENT_SCOPES = SCOPE_NAMES.filter((scope) => typesOfScope(scope).length > 0);
