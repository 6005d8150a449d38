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

const ELSEWHERE = "Null, with an error, for a token without `profile:read` that came here from elsewhere.";

const LevelRef = builder.objectRef<{ xp: number; badges: readonly string[] }>("Level").implement({
  description:
    "How far a builder has come. Honours are kept where points are taken back: it is the highest level that was ever reached.",
  fields: (t) => ({
    number: t.int({ description: "From 1 on.", resolve: (standing) => levelOf(standing).tier.level }),
    name: t.string({
      nullable: true,
      description: "The badge that came with it; null for the first.",
      resolve: (standing) => levelOf(standing).tier.badge || null,
    }),
    from: t.int({
      description: "The points that it begins at.",
      resolve: (standing) => levelOf(standing).tier.from,
    }),
    next: t.int({
      nullable: true,
      description: "The points that the next one begins at; null for the highest.",
      resolve: (standing) => levelOf(standing).next?.from ?? null,
    }),
    progress: t.float({
      description: "How much of the way to the next one is gone, 0 to 1; 1 for the highest.",
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
    "A member of the community. Through what they wrote, a token sees who it was; the profile needs `profile:read`.",
  kind: "builder",
  many: getProfiles,
  fields: (t) => ({
    username: t.string({
      description: descriptionOf(ProfileView.properties.username),
      resolve: (person, _, context) => person.username ?? profileOf(context, person, "username"),
    }),
    ...outputsOf(
      (words: { description: string }) =>
        t.field({ ...words, nullable: true, description: `${words.description} ${ELSEWHERE}` } as never),
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
      description: "Their page.",
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
      description: "What they may do for the community.",
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
      description: `Their level, and how far it is to the next one. ${ELSEWHERE}`,
      resolve: async (person, _, context) => ({
        xp: person.xp ?? (await profileOf(context, person, "xp")),
        badges: person.badges ?? (await profileOf(context, person, "badges")),
      }),
    }),
    viewerHasBlocked: t.boolean({
      nullable: true,
      description: "Whether you have blocked them. Null, with an error, for a token without `messages:read`.",
      resolve: ({ id }, _, context) => isInSet(context, "blocked", id, blockedAmong),
    }),
    isFollowed: t.boolean({
      nullable: true,
      description: `Whether you follow them. ${ELSEWHERE}`,
      resolve: ({ id }, _, context) => isInSet(context, "followed", id, followedAmong),
    }),
    honours: t.field({
      type: [BadgeEnum],
      nullable: true,
      description: `Their badges among those that everybody can earn; \`badges\` also has what the community gave by a name of its own. ${ELSEWHERE}`,
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
      description: "Whether they are locked out. Null, with an error, for a token without `admin`.",
      resolve: async ({ id }, _, { core, caller, batch }) =>
        (await batch("subjects", id, (ids) => getSubjects(core, caller, ids)))?.hidden ?? false,
    }),
    posts: t.field({
      type: PostConnection,
      nullable: true,
      description:
        "What they posted, newest first: the list of `feed(author)`, by the same cursors. Needs `feed:read`.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "posts of", id, args, (ids, request) =>
          listFeedsOf(core, caller, ids, request),
        ),
    }),
    prompts: t.field({
      type: PromptConnection,
      nullable: true,
      description: "What they put into the library, newest first. Needs `prompts:read`.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "prompts of", id, args, (ids, request) =>
          listPromptsOf(core, caller, ids, request),
        ),
    }),
  }),
});

node(ProjectRef, {
  description: "Something that a builder makes and shows on their profile.",
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

/** What a profile does not tell of a project is read for all of them together. */
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
