import type { AnyEventType, EventData } from "../../core/outbox/events/catalogue.ts";
import { getEvents, type Event, EventView } from "../../core/outbox/events/events.ts";
import type { LevelUp } from "../../core/services/live/live.ts";
import { parseTimestamp } from "../../core/base/timestamp.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { nodeOf } from "../nodes.ts";
import { BuilderRef, EndpointRef, EventRef, JobRef, node, PostRef, ThreadRef } from "./refs.ts";
import { EventTypeEnum } from "./enums.ts";

/*
 * Event payloads, with one type per event type. A webhook receives the ids of objects. In GraphQL the payload
 * contains the objects themselves in their current state, if the token may read them. Deleted objects are
 * null.
 */

const now = (what: string) =>
  `The ${what} in its current state. \`null\` if it was deleted or you may not see it.`;
const things = (id: string, context: GraphContext) => nodeOf(context, id) as never;

type PostSubject = EventData["post.created"]["post"];

function postSubject(name: string, description: string) {
  return builder.objectRef<PostSubject>(name).implement({
    description,
    fields: (t) => ({
      postId: t.exposeID("id", { description: "The identifier of the post." }),
      post: t.field({
        type: PostRef,
        nullable: true,
        description: now("post"),
        resolve: ({ id }, _, context) => things(id, context),
      }),
      author: t.field({
        type: BuilderRef,
        description: "The author.",
        resolve: ({ author_id: id }) => ({ id }),
      }),
      title: t.exposeString("title", {
        description: "The first heading or line of the current text. Empty if the post is gone.",
      }),
      url: t.exposeString("url", { description: "The URL of the web page." }),
    }),
  });
}

const PostRemoved = builder.objectRef<EventData["post.deleted"]["post"]>("PostRemoved").implement({
  description: "A post left the feed.",
  fields: (t) => ({
    postId: t.exposeID("id", { description: "The identifier of the post that left the feed." }),
  }),
});

const JobAppeared = builder.objectRef<EventData["job.published"]["job"]>("JobAppeared").implement({
  description: "A job was published on the board.",
  fields: (t) => ({
    jobId: t.exposeID("id", { description: "The identifier of the job." }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description: now("job"),
      resolve: ({ id }, _, context) => things(id, context),
    }),
    title: t.exposeString("title", {
      description: "The current job title. Empty if the job is gone.",
    }),
    companySlug: t.string({
      description: "The slug of the company. Empty if the job is gone.",
      resolve: ({ company }) => company.slug,
    }),
    url: t.exposeString("url", { description: "The URL of the web page." }),
  }),
});

const MatchFound = builder.objectRef<EventData["job.matched"]>("MatchFound").implement({
  description: "A job matched a saved filter.",
  fields: (t) => ({
    jobId: t.exposeID("job_id", { description: "The identifier of the job." }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description: now("job"),
      resolve: ({ job_id }, _, context) => things(job_id, context),
    }),
    builder: t.field({
      type: BuilderRef,
      description: "The owner of the filter.",
      resolve: ({ builder_id: id }) => ({ id }),
    }),
    score: t.exposeFloat("score", { description: "How well the job fits the filter, from 0 to 1." }),
  }),
});

const MessageArrived = builder.objectRef<EventData["dm.received"]>("MessageArrived").implement({
  description: "You received a direct message.",
  fields: (t) => ({
    threadId: t.exposeID("thread_id", { description: "The identifier of the conversation." }),
    thread: t.field({
      type: ThreadRef,
      nullable: true,
      description: now("conversation"),
      resolve: ({ thread_id }, _, context) => things(thread_id, context),
    }),
    from: t.field({ type: BuilderRef, description: "The sender.", resolve: ({ from_id: id }) => ({ id }) }),
    preview: t.exposeString("preview", {
      description:
        "The beginning of the message as plain text, at most 140 characters. Empty if the message is gone.",
    }),
  }),
});

/** This type is also used by the level-up subscription. */
export const LevelUpRef = builder.objectRef<LevelUp>("LevelUp").implement({
  description: "A builder reached a level for the first time.",
  fields: (t) => ({
    builder: t.field({
      type: BuilderRef,
      description: "The builder.",
      resolve: ({ builderId }) => ({ id: builderId }),
    }),
    fromLevel: t.exposeInt("fromLevel", { description: "The previous level." }),
    toLevel: t.exposeInt("toLevel", { description: "The new level." }),
    badge: t.exposeString("badge", { description: "The badge of the new level." }),
  }),
});

type RemovedBuilder = EventData["builder.removed"]["builder"];
const BuilderRemoved = builder.objectRef<RemovedBuilder>("BuilderRemoved").implement({
  description: "A moderator removed a spammer with all content.",
  fields: (t) => ({
    builderId: t.exposeID("id", { description: "The identifier of the removed builder." }),
    username: t.exposeString("username", { description: "The username at that time." }),
  }),
});

type EndpointSubject = EventData["webhook.endpoint_disabled"]["endpoint"];
const EndpointFailing = builder.objectRef<EndpointSubject>("EndpointFailing").implement({
  description: "An endpoint has acknowledged nothing for a day, or was disabled automatically.",
  fields: (t) => ({
    webhookId: t.exposeID("id", { description: "The identifier of the endpoint." }),
    webhook: t.field({
      type: EndpointRef,
      nullable: true,
      description: now("endpoint"),
      resolve: ({ id }, _, context) => things(id, context),
    }),
    url: t.exposeString("url", { description: "The URL of the endpoint at the time of the event." }),
    reason: t.exposeString("reason", {
      description: "The reason as a stable code. More codes may be added.",
    }),
    failingSince: t.field({
      type: "DateTime",
      nullable: true,
      description: "The time of the first failure since the last acknowledged delivery.",
      resolve: ({ failing_since }) =>
        failing_since === null ? null : (parseTimestamp(failing_since) ?? null),
    }),
    disabledAt: t.field({
      type: "DateTime",
      nullable: true,
      description:
        "The time at which the endpoint was disabled. `null` if the endpoint was failing but not yet disabled.",
      resolve: ({ disabled_at }) => (disabled_at === null ? null : (parseTimestamp(disabled_at) ?? null)),
    }),
  }),
});

const EndpointTested = builder.objectRef<EventData["webhook.test"]>("EndpointTested").implement({
  description: "An endpoint was tested.",
  fields: (t) => ({
    webhookId: t.exposeID("endpoint_id", { description: "The identifier of the endpoint." }),
    webhook: t.field({
      type: EndpointRef,
      nullable: true,
      description: now("endpoint"),
      resolve: ({ endpoint_id }, _, context) => things(endpoint_id, context),
    }),
  }),
});

const optionalId = (description: string) => ({ type: "ID", nullable: true, description }) as const;

const ReportReceived = builder.objectRef<EventData["report.created"]["report"]>("ReportReceived").implement({
  description: "Someone reported content or a builder.",
  fields: (t) => ({
    reportId: t.exposeID("id", { description: "The identifier of the report." }),
    subjectId: t.exposeID("subject_id", { description: "The identifier of the reported subject." }),
    caseId: t.exposeID("case_id", { description: "The identifier of the case." }),
  }),
});

const BuilderJoined = builder.objectRef<EventData["builder.joined"]["builder"]>("BuilderJoined").implement({
  description: "A builder joined the community.",
  fields: (t) => ({
    builder: t.field({ type: BuilderRef, description: "The builder.", resolve: ({ id }) => ({ id }) }),
    username: t.exposeString("username", { description: "The username of the builder when they joined." }),
  }),
});

const ApplicationReceived = builder
  .objectRef<EventData["application.created"]["application"]>("ApplicationReceived")
  .implement({
    description: "Someone asked to join the community.",
    fields: (t) => ({
      applicationId: t.exposeID("id", { description: "The identifier of the application." }),
    }),
  });

const DecisionMade = builder.objectRef<EventData["decision.made"]["decision"]>("DecisionMade").implement({
  description: "A moderation decision was made or undone.",
  fields: (t) => ({
    decisionId: t.exposeID("id", { description: "The identifier of the decision." }),
    act: t.exposeString("act", { description: "The act as a code. More codes may be added." }),
    subjectId: t.exposeID("subject_id", { description: "The identifier of the subject." }),
    builderId: t.field({
      ...optionalId(
        "The identifier of the builder whom the decision concerns. `null` for content of the operator.",
      ),
      resolve: ({ builder_id }) => builder_id,
    }),
    moderatorId: t.field({
      ...optionalId("The identifier of the moderator. `null` for the operator and for automatic decisions."),
      resolve: ({ moderator_id }) => moderator_id,
    }),
    isUndone: t.exposeBoolean("is_undone", { description: "Whether the decision was undone." }),
  }),
});

/**
 * Payload types by event type, with the function that converts the webhook's data. A new event type needs an
 * entry here.
 */
const PAYLOADS: {
  readonly [Type in AnyEventType]: { ref: { name: string }; of(data: EventData[Type]): object };
} = {
  "post.created": {
    ref: postSubject("PostAppeared", "A post was published in the feed."),
    of: ({ post }) => post,
  },
  "post.updated": {
    ref: postSubject("PostChanged", "A post was edited or shown again."),
    of: ({ post }) => post,
  },
  "post.deleted": { ref: PostRemoved, of: ({ post }) => post },
  "job.published": { ref: JobAppeared, of: ({ job }) => job },
  "job.matched": { ref: MatchFound, of: (data) => data },
  "dm.received": { ref: MessageArrived, of: (data) => data },
  "xp.level_up": {
    ref: LevelUpRef,
    of: ({ user_id, from_level, to_level, badge }): LevelUp => ({
      builderId: user_id,
      fromLevel: from_level,
      toLevel: to_level,
      badge,
    }),
  },
  "builder.removed": { ref: BuilderRemoved, of: ({ builder: removed }) => removed },
  "webhook.endpoint_disabled": { ref: EndpointFailing, of: ({ endpoint }) => endpoint },
  "report.created": { ref: ReportReceived, of: ({ report }) => report },
  "builder.joined": { ref: BuilderJoined, of: ({ builder: joined }) => joined },
  "application.created": { ref: ApplicationReceived, of: ({ application }) => application },
  "decision.made": { ref: DecisionMade, of: ({ decision }) => decision },
  "webhook.test": { ref: EndpointTested, of: (data) => data },
};

const Payload = builder.unionType("EventPayload", {
  description: "The payload of an event. Its type depends on the type of the event.",
  types: Object.values(PAYLOADS).map(({ ref }) => ref) as never,
  resolveType: (payload: object) => (payload as Payload).__typename as never,
});

node(EventRef, {
  description: "An event, as it is delivered. Reading an event requires the scope of its type.",
  kind: "evt",
  many: getEvents,
  view: EventView,
  texts: { type: "Use `kind`, which is an enum." },
  fields: (t) => ({
    kind: t.field({
      type: EventTypeEnum,
      description: "The type of the event.",
      resolve: ({ type }) => type,
    }),
    data: t.field({
      type: "JSON",
      description: "The payload, exactly as webhooks receive it.",
      resolve: ({ data }) => data,
    }),
    payload: t.field({
      type: Payload,
      description: "The payload with the objects that the event is about.",
      resolve: (event) => payloadOf(event) as never,
    }),
  }),
});

/** A payload, whose `__typename` depends only on the event's type. */
interface Payload {
  __typename: string;
}

function payloadOf({ type, data }: Event): Payload {
  const { ref, of } = PAYLOADS[type];
  return { ...of(data as never), __typename: ref.name };
}
