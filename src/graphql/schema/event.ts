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
 * What an event tells, each type as a type of its own. A webhook is told ids; here they are the things
 * themselves, as they are now and as the token may read them: null where they are gone.
 */

const NOW = "As it is now; null where it is gone, or not yours to see.";
const things = (id: string, context: GraphContext) => nodeOf(context, id) as never;

type PostSubject = EventData["post.created"]["post"];

function postSubject(name: string, description: string) {
  return builder.objectRef<PostSubject>(name).implement({
    description,
    fields: (t) => ({
      postId: t.exposeID("id", { description: "The post's identifier." }),
      post: t.field({
        type: PostRef,
        nullable: true,
        description: NOW,
        resolve: ({ id }, _, context) => things(id, context),
      }),
      author: t.field({
        type: BuilderRef,
        description: "Whose it is.",
        resolve: ({ author_id: id }) => ({ id }),
      }),
      title: t.exposeString("title", {
        description: "Its first heading or line, as it is now; empty where the post is gone.",
      }),
      url: t.exposeString("url", { description: "Its page." }),
    }),
  });
}

const PostRemoved = builder.objectRef<EventData["post.deleted"]["post"]>("PostRemoved").implement({
  description: "A post left the feed.",
  fields: (t) => ({ postId: t.exposeID("id", { description: "The identifier that it had." }) }),
});

const JobAppeared = builder.objectRef<EventData["job.published"]["job"]>("JobAppeared").implement({
  description: "A job went live on the board.",
  fields: (t) => ({
    jobId: t.exposeID("id", { description: "The job's identifier." }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description: NOW,
      resolve: ({ id }, _, context) => things(id, context),
    }),
    title: t.exposeString("title", {
      description: "What is wanted, as it is now; empty where the job is gone.",
    }),
    companySlug: t.string({
      description: "Who it is with; empty where the job is gone.",
      resolve: ({ company }) => company.slug,
    }),
    url: t.exposeString("url", { description: "Its page." }),
  }),
});

const MatchFound = builder.objectRef<EventData["job.matched"]>("MatchFound").implement({
  description: "A job met a saved filter.",
  fields: (t) => ({
    jobId: t.exposeID("job_id", { description: "The job's identifier." }),
    job: t.field({
      type: JobRef,
      nullable: true,
      description: NOW,
      resolve: ({ job_id }, _, context) => things(job_id, context),
    }),
    builder: t.field({
      type: BuilderRef,
      description: "Whose filter.",
      resolve: ({ builder_id: id }) => ({ id }),
    }),
    score: t.exposeFloat("score", { description: "How well, from 0 to 1." }),
  }),
});

const MessageArrived = builder.objectRef<EventData["dm.received"]>("MessageArrived").implement({
  description: "Somebody wrote to you.",
  fields: (t) => ({
    threadId: t.exposeID("thread_id", { description: "The conversation's identifier." }),
    thread: t.field({
      type: ThreadRef,
      nullable: true,
      description: NOW,
      resolve: ({ thread_id }, _, context) => things(thread_id, context),
    }),
    from: t.field({ type: BuilderRef, description: "Who wrote.", resolve: ({ from_id: id }) => ({ id }) }),
    preview: t.exposeString("preview", {
      description:
        "The beginning of the message: at most 140 characters of plain text; empty where it is gone.",
    }),
  }),
});

/** Told as it happens, too. */
export const LevelUpRef = builder.objectRef<LevelUp>("LevelUp").implement({
  description: "A builder reached a level for the first time.",
  fields: (t) => ({
    builder: t.field({
      type: BuilderRef,
      description: "Who.",
      resolve: ({ builderId }) => ({ id: builderId }),
    }),
    fromLevel: t.exposeInt("fromLevel", { description: "The level that they left." }),
    toLevel: t.exposeInt("toLevel", { description: "The level that they reached." }),
    badge: t.exposeString("badge", { description: "The badge of that level." }),
  }),
});

type EndpointSubject = EventData["webhook.endpoint_disabled"]["endpoint"];
const EndpointFailing = builder.objectRef<EndpointSubject>("EndpointFailing").implement({
  description: "An endpoint has acknowledged nothing for a day, or was disabled for it.",
  fields: (t) => ({
    webhookId: t.exposeID("id", { description: "The endpoint's identifier." }),
    webhook: t.field({
      type: EndpointRef,
      nullable: true,
      description: NOW,
      resolve: ({ id }, _, context) => things(id, context),
    }),
    url: t.exposeString("url", { description: "Where its deliveries went then." }),
    reason: t.exposeString("reason", { description: "Why, as a code that stays the same. More may come." }),
    failingSince: t.field({
      type: "DateTime",
      nullable: true,
      description: "When its first failure since the last acknowledged delivery was.",
      resolve: ({ failing_since }) =>
        failing_since === null ? null : (parseTimestamp(failing_since) ?? null),
    }),
    disabledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Since when nothing is sent to it; null where deliveries still went out.",
      resolve: ({ disabled_at }) => (disabled_at === null ? null : (parseTimestamp(disabled_at) ?? null)),
    }),
  }),
});

const EndpointTested = builder.objectRef<EventData["webhook.test"]>("EndpointTested").implement({
  description: "Somebody tested an endpoint.",
  fields: (t) => ({
    webhookId: t.exposeID("endpoint_id", { description: "The endpoint's identifier." }),
    webhook: t.field({
      type: EndpointRef,
      nullable: true,
      description: NOW,
      resolve: ({ endpoint_id }, _, context) => things(endpoint_id, context),
    }),
  }),
});

/**
 * The type that tells of each, and how it is made of what webhooks get: a new type of event has its own here.
 */
const TOLD: {
  readonly [Type in AnyEventType]: { ref: { name: string }; of(data: EventData[Type]): object };
} = {
  "post.created": { ref: postSubject("PostAppeared", "A post landed on the feed."), of: ({ post }) => post },
  "post.updated": {
    ref: postSubject("PostChanged", "A post changed, or came back to the feed."),
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
  "webhook.endpoint_disabled": { ref: EndpointFailing, of: ({ endpoint }) => endpoint },
  "webhook.test": { ref: EndpointTested, of: (data) => data },
};

const Payload = builder.unionType("EventPayload", {
  description: "What an event tells, by its type.",
  types: Object.values(TOLD).map(({ ref }) => ref) as never,
  resolveType: (payload: object) => (payload as Payload).__typename as never,
});

node(EventRef, {
  description: "Something that happened, as it is delivered. It is read with the scope of what it tells.",
  kind: "evt",
  many: getEvents,
  view: EventView,
  texts: { type: "Use `kind`, which is an enum." },
  fields: (t) => ({
    kind: t.field({ type: EventTypeEnum, description: "What happened.", resolve: ({ type }) => type }),
    data: t.field({
      type: "JSON",
      description: "The payload of its type, exactly as webhooks get it.",
      resolve: ({ data }) => data,
    }),
    payload: t.field({
      type: Payload,
      description: "The same, with the things that it is about.",
      resolve: (event) => payloadOf(event) as never,
    }),
  }),
});

/** Which type of the graph a payload is shown as is known by its event alone. */
interface Payload {
  __typename: string;
}

function payloadOf({ type, data }: Event): Payload {
  const { ref, of } = TOLD[type];
  return { ...of(data as never), __typename: ref.name };
}
