import type { ObjectFieldsShape, ObjectRef } from "@pothos/core";
import type { TObject } from "@sinclair/typebox";
import type { Endpoint } from "../../core/outbox/webhooks/endpoint.ts";
import type { AttemptRecord, Delivery } from "../../core/outbox/deliveries/delivery-log.ts";
import type { Event } from "../../core/outbox/events/events.ts";
import type { Post } from "../../core/community/feed/feed.ts";
import type { JobFilter } from "../../core/community/jobs/job-filters.ts";
import type { Job, JobListing } from "../../core/community/jobs/job.ts";
import type { Message, Thread } from "../../core/community/messages/messages.ts";
import type { Notification } from "../../core/services/notifications/notifications.ts";
import type { Report } from "../../core/services/moderation/reports.ts";
import type { Decision } from "../../core/services/moderation/decisions.ts";
import type { Profile } from "../../core/community/profiles/profiles.ts";
import type { Project } from "../../core/community/profiles/projects.ts";
import type { Prompt } from "../../core/community/prompts/prompts.ts";
import type { Workspace } from "../../core/delegation/workspaces/workspaces.ts";
import type { XpEntry } from "../../core/community/xp/xp.ts";
import type { IdKind } from "../../core/base/ids.ts";
import { builder } from "../builder.ts";
import { addNode, type ReadMany } from "../nodes.ts";
import { fieldsWith, type Read, type Types } from "../outputs.ts";

/*
 * References to GraphQL types, each with the core's type of its objects. An object inside another object is
 * often loaded in part. Missing fields are read in one batch when the client selects them.
 */

/** Description of every rendered text field. */
export const HTML = htmlWith("or images");
export const POST_HTML = htmlWith("or images, except the uploaded images of the post");

function htmlWith(images: string): string {
  return `The text as safe HTML, rendered as on the web pages. The HTML has no scripts, styles, ${images}. Headings start at the third level. Links have \`rel="nofollow noopener ugc"\`. Parts of code blocks have classes. Footnote anchors start with the \`id\` of the object.`;
}

/** A builder. Fields other than `id` are set only if the parent object contains them. */
export type Person = Partial<Profile> & { id: string };
/** A project. It has the fields that a profile shows, or all fields if its owner reads it. */
export type AnyProject = { id: string; title: string } & Partial<Project>;
export type Company = { id: string; name: string; slug: string };

export const BuilderRef = builder.objectRef<Person>("Builder");
export const ProjectRef = builder.objectRef<AnyProject>("Project");
export const PostRef = builder.objectRef<Post>("Post");
export const JobRef = builder.objectRef<JobListing | Job>("Job");
export const CompanyRef = builder.objectRef<Company>("Company");
export const JobFilterRef = builder.objectRef<JobFilter>("JobFilter");
export const PromptRef = builder.objectRef<Prompt>("Prompt");
export const WorkspaceRef = builder.objectRef<Workspace>("Workspace");
export const EndpointRef = builder.objectRef<Endpoint>("WebhookEndpoint");
export const EventRef = builder.objectRef<Event>("Event");
export const DeliveryRef = builder.objectRef<Delivery>("Delivery");
export const AttemptRef = builder.objectRef<AttemptRecord>("Attempt");
export const ThreadRef = builder.objectRef<Thread>("Thread");
export const MessageRef = builder.objectRef<Message>("Message");
export const ReportRef = builder.objectRef<Report>("Report");
export const DecisionRef = builder.objectRef<Decision>("Decision");
export const NotificationRef = builder.objectRef<Notification>("Notification");
export const XpEntryRef = builder.objectRef<XpEntry>("XpEntry");

/**
 * Defines a type as a Node. The type has the fields of `view`, except those in `out`. Fields in `fields`
 * replace fields of the view. The id is the same as in REST.
 * Relay's own plugin for Pothos is not used, because it creates a promise per id. These promises would double
 * the time of a response that needs no other promise.
 */
export function node<Thing extends { id: string }>(
  ref: ObjectRef<Types, Thing>,
  {
    description,
    kind,
    many,
    view,
    out = [],
    texts,
    read,
    fields,
  }: {
    description: string;
    /** Id prefix of this type. */
    kind: IdKind;
    many: ReadMany;
    view?: TObject;
    out?: readonly string[];
    /** Text fields that also exist as an enum field, each with its deprecation reason. */
    texts?: Readonly<Record<string, string>>;
    /** Reads a field of an object. Needed for types whose objects are often loaded in part. */
    read?: Read<Thing>;
    fields?: ObjectFieldsShape<Types, Thing>;
  },
): void {
  addNode(kind, ref.name, many);
  builder.objectType(ref, {
    description,
    interfaces: [builder.nodeInterfaceRef()],
    fields: (t) => ({
      id: t.id({ description: "The identifier. REST uses the same one.", resolve: ({ id }) => id }),
      ...fieldsWith(t as never, view, ["id", ...out], fields, read, texts),
    }),
  });
}

/** Defines the connection type for a node type. */
export function connectionOf<Ref extends Parameters<typeof builder.edgeObject>[0]["type"]>(
  ref: Ref,
  name: string,
  nodes: string,
) {
  const edge = builder.edgeObject({
    type: ref,
    name: `${name}Edge`,
    description: `One entry in a list of ${nodes}.`,
  });
  return builder.connectionObject(
    { type: ref, name: `${name}Connection`, description: `A page of ${nodes}.` },
    edge as never,
  );
}

export const BuilderConnection = connectionOf(BuilderRef, "Builder", "builders");
export const PostConnection = connectionOf(PostRef, "Post", "posts");
export const JobConnection = connectionOf(JobRef, "Job", "jobs");
export const JobFilterConnection = connectionOf(JobFilterRef, "JobFilter", "saved filters");
export const PromptConnection = connectionOf(PromptRef, "Prompt", "prompts");
export const ProjectConnection = connectionOf(ProjectRef, "Project", "projects");
export const EventConnection = connectionOf(EventRef, "Event", "events");
export const DeliveryConnection = connectionOf(DeliveryRef, "Delivery", "deliveries");
export const ThreadConnection = connectionOf(ThreadRef, "Thread", "conversations");
export const MessageConnection = connectionOf(MessageRef, "Message", "messages");
