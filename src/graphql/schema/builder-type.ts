import { listFeedsOf } from "../../core/community/feed/feed.ts";
import { followedAmong } from "../../core/community/following/following.ts";
import { blockedAmong } from "../../core/community/messages/blocks.ts";
import { avatarsOf, AvatarView, identiconUrl } from "../../core/community/media/avatars.ts";
import { getSubjects } from "../../core/services/moderation/moderation.ts";
import {
  getProfiles,
  getCredits,
  type Profile,
  ProfileView,
} from "../../core/community/profiles/profiles.ts";
import { getProjects, type Project, ProjectView } from "../../core/community/profiles/projects.ts";
import { listPromptsOf } from "../../core/community/prompts/prompts.ts";
import { rolesOf } from "../../core/identity/builders/builders.ts";
import { refuse } from "../../core/base/errors.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { levelOf } from "../../core/community/xp/rules.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { batchedConnection } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { renderedHtml } from "../rendered-text.ts";
import { isInSet } from "../nodes.ts";
import { outputsOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { profileOperations } from "../../operations/profiles.ts";
import { projectOperations } from "../../operations/projects.ts";
import {
  type AnyProject,
  BuilderConnection,
  BuilderRef,
  node,
  type Person,
  PostConnection,
  ProjectRef,
  PromptConnection,
  HTML,
} from "./refs.ts";
import { BadgeEnum, knownBadges, RoleEnum } from "./enums.ts";

const ELSEWHERE = "`null` with an error if the token lacks `profile:read`.";

const LevelRef = builder.objectRef<{ xp: number; badges: readonly string[] }>("Level").implement({
  description:
    "The highest level that a builder has ever reached. Levels are kept when points are withdrawn.",
  fields: (t) => ({
    number: t.int({
      description: "The number of the level, starting at 1.",
      resolve: (standing) => levelOf(standing).tier.level,
    }),
    name: t.string({
      nullable: true,
      description: "The badge of the level. `null` for the first level.",
      resolve: (standing) => levelOf(standing).tier.badge || null,
    }),
    from: t.int({
      description: "The XP at which the level starts.",
      resolve: (standing) => levelOf(standing).tier.from,
    }),
    next: t.int({
      nullable: true,
      description: "The XP at which the next level starts. `null` for the highest level.",
      resolve: (standing) => levelOf(standing).next?.from ?? null,
    }),
    progress: t.float({
      description: "The progress towards the next level, from 0 to 1. 1 for the highest level.",
      resolve: (standing) => progressOf(standing),
    }),
  }),
});

function progressOf(standing: { xp: number; badges: readonly string[] }): number {
  const { tier, next } = levelOf(standing);
  return next === undefined ? 1 : Math.max(0, standing.xp - tier.from) / (next.from - tier.from);
}

node(BuilderRef, {
  description:
    "A member of the community. A token that can read a member's content can also read the username. All other profile fields require the `profile:read` scope.",
  kind: "builder",
  many: getProfiles,
  fields: (t) => ({
    username: t.string({
      description: descriptionOf(ProfileView.properties.username),
      resolve: (person, _, context) => person.username ?? profileOf(context, person, "username"),
    }),
    ...outputsOf(
      (messages: { description: string }) =>
        t.field({
          ...messages,
          nullable: true,
          description: `${messages.description} ${ELSEWHERE}`,
        } as never),
      ProfileView,
      ["username", "projects"],
      (person, name, context) => person[name] ?? profileOf(context, person as never, name as keyof Profile),
    ),
    bioHtml: t.string({
      nullable: true,
      description: `${HTML} ${ELSEWHERE}`,
      resolve: (person, _, context) =>
        renderedHtml(context, person.bio ?? profileOf(context, person, "bio"), { id: person.id }),
    }),
    url: t.string({
      description: "The URL of the profile page.",
      resolve: async (person, _, context) =>
        `${context.core.origin}/@${person.username ?? (await profileOf(context, person, "username"))}`,
    }),
    avatar: t.string({
      nullable: true,
      description: descriptionOf(AvatarView.properties.avatar),
      resolve: async ({ id }, _, { core, batch }) =>
        (await batch("avatars", id, (ids) => avatarsOf(core, ids))) ?? null,
    }),
    role: t.field({
      type: RoleEnum,
      description: "The role in the community.",
      resolve: async ({ id }, _, { core, batch }) =>
        (await batch("roles", id, (ids) => rolesOf(core, ids))) ?? "member",
    }),
    crest: t.string({
      description: descriptionOf(AvatarView.properties.crest),
      resolve: async (person, _, context) =>
        identiconUrl(context.core, person.username ?? (await profileOf(context, person, "username"))),
    }),
    level: t.field({
      type: LevelRef,
      nullable: true,
      description: `The level, and the progress towards the next one. ${ELSEWHERE}`,
      resolve: async (person, _, context) => ({
        xp: person.xp ?? (await profileOf(context, person, "xp")),
        badges: person.badges ?? (await profileOf(context, person, "badges")),
      }),
    }),
    viewerHasBlocked: t.boolean({
      nullable: true,
      description:
        "Whether you have blocked the builder. `null` with an error if the token lacks `messages:read`.",
      resolve: ({ id }, _, context) => isInSet(context, "blocked", id, blockedAmong),
    }),
    isFollowed: t.boolean({
      nullable: true,
      description: `Whether you follow the builder. ${ELSEWHERE}`,
      resolve: ({ id }, _, context) => isInSet(context, "followed", id, followedAmong),
    }),
    honours: t.field({
      type: [BadgeEnum],
      nullable: true,
      description: `The badges that everyone can earn. \`badges\` also contains the community's own badges. ${ELSEWHERE}`,
      resolve: async (person, _, context) =>
        knownBadges(person.badges ?? (await profileOf(context, person, "badges"))),
    }),
    projects: t.field({
      type: [ProjectRef],
      nullable: true,
      description: `${descriptionOf(ProfileView.properties.projects)} ${ELSEWHERE}`,
      resolve: (person, _, context) => person.projects ?? profileOf(context, person, "projects"),
    }),
    suspended: t.boolean({
      nullable: true,
      description: "Whether the builder is suspended. `null` with an error if the token lacks `admin`.",
      resolve: async ({ id }, _, { core, caller, batch }) =>
        (await batch("subjects", id, (ids) => getSubjects(core, caller, ids)))?.hidden ?? false,
    }),
    posts: t.field({
      type: PostConnection,
      nullable: true,
      description:
        "The builder's posts in the feed, newest first. The cursors also work in `feed` with the argument `author`. Requires the `feed:read` scope.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "posts of", id, args, (ids, request) =>
          listFeedsOf(core, caller, ids, request),
        ),
    }),
    prompts: t.field({
      type: PromptConnection,
      nullable: true,
      description: "The builder's prompts, newest first. Requires the `prompts:read` scope.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "prompts of", id, args, (ids, request) =>
          listPromptsOf(core, caller, ids, request),
        ),
    }),
  }),
});

node(ProjectRef, {
  description: "A project that a builder shows on their profile.",
  kind: "prj",
  many: getProjects,
  view: ProjectView,
  read: (project, name, context) => partOf(context, project, name as keyof Project),
  fields: (t) => ({
    descriptionHtml: t.string({
      nullable: true,
      description: HTML,
      resolve: async (project, _, context) => {
        const text = await partOf(context, project, "description");
        return text === null ? null : renderedHtml(context, text, { id: project.id });
      },
    }),
  }),
});

queryOf("project", projectOperations.getProject, ProjectRef);
queryOf("builders", profileOperations.listProfiles, BuilderConnection);

async function profileOf<Name extends keyof Profile>(
  { core, caller, batch }: GraphContext,
  { id }: Person,
  name: Name,
): Promise<Profile[Name]> {
  const profile = await batch("profiles", id, (ids) => byId(getCredits(core, caller, ids)));
  if (!profile) throw refuse("builder_gone");
  return profile[name];
}

/**
 * Returns a field of a project. Profiles do not contain all fields of their projects, so the missing fields
 * are read in one batch.
 */
function partOf<Name extends keyof Project>(
  { core, caller, batch }: GraphContext,
  project: AnyProject,
  name: Name,
): Project[Name] | Promise<Project[Name]> {
  const known = project[name] as Project[Name] | undefined;
  if (known !== undefined) return known;
  return batch("projects", project.id, (ids) => byId(getProjects(core, caller, ids))).then((found) => {
    if (!found) throw refuse("project_gone");
    return found[name];
  });
}
