import { listFeedsOf } from "../../core/feed/feed.ts";
import { BuilderQuery, listProfiles } from "../../core/profiles/directory.ts";
import { getCredits, type Profile } from "../../core/profiles/profiles.ts";
import { getProjects, type Project } from "../../core/profiles/projects.ts";
import { listPromptsOf } from "../../core/prompts/prompts.ts";
import { notFound } from "../../core/errors.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, pageOf, pageRequest, toConnection } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { fieldsOf, readInput } from "../inputs.ts";
import {
  type AnyProject,
  BuilderConnection,
  BuilderRef,
  node,
  type Person,
  PostConnection,
  ProjectRef,
  PromptConnection,
} from "./refs.ts";

const ELSEWHERE = "Null, with an error, for a token without `profile:read` that came here from elsewhere.";

node(BuilderRef, {
  description:
    "A member of the community. Through what they wrote, a token sees who it was; the profile needs `profile:read`.",
  fields: (t) => ({
    username: t.string({
      description: "The handle, without @.",
      resolve: (person, _, context) => person.username ?? profileOf(context, person, "username"),
    }),
    name: t.string({
      nullable: true,
      description: `The name they go by. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.name ?? profileOf(context, person, "name"),
    }),
    bio: t.string({
      nullable: true,
      description: `Markdown. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.bio ?? profileOf(context, person, "bio"),
    }),
    xp: t.int({
      nullable: true,
      description: `Experience points. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.xp ?? profileOf(context, person, "xp"),
    }),
    streakDays: t.int({
      nullable: true,
      description: `Days in a row with activity, as of now, by the builder's own time zone. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.streakDays ?? profileOf(context, person, "streakDays"),
    }),
    badges: t.stringList({
      nullable: true,
      description: `Slugs, in the order in which they were earned. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.badges ?? profileOf(context, person, "badges"),
    }),
    projects: t.field({
      type: [ProjectRef],
      nullable: true,
      description: `What they show on their profile, oldest first. ${ELSEWHERE}`,
      resolve: (person, _, context) => person.projects ?? profileOf(context, person, "projects"),
    }),
    posts: t.field({
      type: PostConnection,
      nullable: true,
      description:
        "What they posted, newest first: the list of `feed(author)`, by the same cursors. Needs `feed:read`.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        pageOf(batch, "posts of", id, args, (ids, request) => listFeedsOf(core, caller, ids, request)),
    }),
    prompts: t.field({
      type: PromptConnection,
      nullable: true,
      description: "What they put into the library, newest first. Needs `prompts:read`.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        pageOf(batch, "prompts of", id, args, (ids, request) => listPromptsOf(core, caller, ids, request)),
    }),
  }),
});

node(ProjectRef, {
  description: "Something that a builder makes and shows on their profile.",
  fields: (t) => ({
    title: t.exposeString("title", { description: "What it is called." }),
    url: t.string({
      nullable: true,
      description: "Where it can be seen.",
      resolve: (project, _, context) =>
        project.url === undefined ? projectOf(context, project, "url") : project.url,
    }),
    description: t.string({
      nullable: true,
      description: "Markdown.",
      resolve: (project, _, context) =>
        project.description === undefined ? projectOf(context, project, "description") : project.description,
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was put there.",
      resolve: (project, _, context) => project.createdAt ?? projectOf(context, project, "createdAt"),
    }),
  }),
});

builder.queryFields((t) => ({
  builders: t.field({
    type: BuilderConnection,
    nullable: true,
    description:
      "The directory of builders, whoever came last first; nobody who is suspended is in it. Needs `profile:read`.",
    args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, BuilderQuery, "Builders") },
    resolve: (_root, args, { core, caller }) =>
      toConnection(
        listProfiles(core, caller, readInput(BuilderQuery, args), pageRequest(args as ConnectionArgs)),
      ),
  }),
}));

async function profileOf<Name extends keyof Profile>(
  { core, caller, batch }: GraphContext,
  { id }: Person,
  name: Name,
): Promise<Profile[Name]> {
  const profile = await batch("profiles", id, (ids) => byId(getCredits(core, caller, ids)));
  if (!profile) throw notFound("This builder is gone.");
  return profile[name];
}

async function projectOf<Name extends keyof Project>(
  { core, caller, batch }: GraphContext,
  { id }: AnyProject,
  name: Name,
): Promise<Project[Name]> {
  const project = await batch("projects", id, (ids) => byId(getProjects(core, caller, ids)));
  if (!project) throw notFound("This project is gone.");
  return project[name];
}
