import type { Caller } from "../../core/identity/access/caller.ts";
import type { Core } from "../../core/base/core.ts";
import { claimsOf } from "../../core/delegation/oauth/subjects.ts";
import { type Avatar, AvatarView } from "../../core/community/media/avatars.ts";
import { listBookmarks } from "../../core/community/feed/bookmarks.ts";
import { listHiddenPosts } from "../../core/community/feed/feed.ts";
import { listFollowedTags, listFollowing } from "../../core/community/following/following.ts";
import { listJobFilters } from "../../core/community/jobs/job-filters.ts";
import { listJobMatches } from "../../core/community/jobs/matching.ts";
import { listOwnJobs } from "../../core/community/jobs/jobs.ts";
import { getOwnProfile, getProfile } from "../../core/community/profiles/profiles.ts";
import { listProjects, type Project } from "../../core/community/profiles/projects.ts";
import { listOwnPrompts } from "../../core/community/prompts/prompts.ts";
import { getStreak, NextTimeZoneView, type Streak, StreakView } from "../../core/community/xp/streaks.ts";
import { getCurrentWorkspace } from "../../core/delegation/workspaces/workspaces.ts";
import { getXpEntries, listXp, XpEntryView } from "../../core/community/xp/xp.ts";
import { wordsOf } from "../../core/base/view.ts";
import { profileOperations } from "../../operations/profiles.ts";
import type { Asked } from "../../operations/operation.ts";
import { projectOperations } from "../../operations/projects.ts";
import { NotificationFilter } from "../../core/services/notifications/notifications.ts";
import { ThreadFilter } from "../../core/community/messages/messages.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { fieldsOf } from "../inputs.ts";
import { GONE, mutationOf } from "../mutation.ts";
import { output } from "../outputs.ts";
import { FollowedTagConnection } from "./following.ts";
import { BlockConnection, blocks, Settings, settings, threads, unread } from "./message.ts";
import {
  NotificationConnection,
  notifications,
  ToldOf,
  toldOf,
  unreadNotifications,
} from "./notification.ts";
import { JobMatchConnection } from "./saved-filter.ts";
import {
  BuilderConnection,
  BuilderRef,
  connectionOf,
  JobConnection,
  JobFilterConnection,
  node,
  PostConnection,
  ProjectConnection,
  ProjectRef,
  PromptConnection,
  ThreadConnection,
  WorkspaceRef,
  XpEntryRef,
} from "./refs.ts";
import { knownRule, ScopeEnum, XpRuleEnum } from "./words.ts";

output("NextTimeZone", NextTimeZoneView, "A time zone that was chosen and counts from a moment to come.");
const StreakRef = output<Streak>(
  "Streak",
  StreakView,
  "Your days in a row with activity, and the time zone that they are counted by.",
);

node(XpEntryRef, {
  description: "One line of your ledger: the sum of all is your XP.",
  kind: "xp",
  many: getXpEntries,
  view: XpEntryView,
  fields: (t) => ({
    reason: t.exposeString("reason", {
      description: wordsOf(XpEntryView.properties.reason),
      deprecationReason: "Use `rule`, which is an enum.",
    }),
    rule: t.field({
      type: XpRuleEnum,
      nullable: true,
      description: "The rule that gave the points; null for one that this program no longer knows.",
      resolve: ({ reason }) => knownRule(reason),
    }),
  }),
});
const XpConnection = connectionOf(XpEntryRef, "XpEntry", "lines of the ledger");

const Viewer = builder.objectRef<Caller>("Viewer").implement({
  description: "You: the account behind the token, and what only it sees.",
  fields: (t) => {
    /** A list of the viewer's own. */
    const own = <Connection>(
      type: Connection,
      description: string,
      read: (args: ConnectionArgs, context: GraphContext) => unknown,
    ) =>
      t.field({
        type: type as typeof PostConnection,
        nullable: true,
        description,
        args: t.arg.connectionArgs(),
        resolve: (_viewer, args, context) => read(args, context) as never,
      });
    return {
      builder: t.field({
        type: BuilderRef,
        description:
          "Your profile, as everybody sees it. An app with OpenID Connect's `profile` reads `name` without `profile:read`.",
        resolve: (caller, _, { core }) => ({ ...me(caller), ...ownName(core, caller) }),
      }),
      scopes: t.stringList({
        description: "What this token may do.",
        deprecationReason: "Use `grantedScopes`, which is of an enum.",
        resolve: ({ scopes }) => [...scopes],
      }),
      grantedScopes: t.field({
        type: [ScopeEnum],
        description: "What this token may do.",
        resolve: ({ scopes }) => [...scopes],
      }),
      workspace: t.field({
        type: WorkspaceRef,
        description: "The current workspace: the one that this token is of.",
        resolve: (caller, _, { core }) => getCurrentWorkspace(core, caller),
      }),
      streak: t.field({
        type: StreakRef,
        nullable: true,
        description: "Your streak. Needs `profile:read`.",
        resolve: (caller, _, { core }) => getStreak(core, caller),
      }),
      unread: t.int({
        nullable: true,
        description: "How many messages you have not read, in all threads. Needs `messages:read`.",
        resolve: (_viewer, _, context) => unread(context),
      }),
      xpEntries: own(
        XpConnection,
        "What your XP is made of, newest first. Needs `profile:read`.",
        (args, { core, caller }) => listed(args, (request) => listXp(core, caller, request)),
      ),
      projects: own(
        ProjectConnection,
        "Your projects, newest first. Needs `profile:read`.",
        (args, { core, caller }) => listed(args, (request) => listProjects(core, caller, request)),
      ),
      jobs: own(
        JobConnection,
        "The jobs that you have published, in whatever state, newest first. Needs `jobs:read`.",
        (args, { core, caller }) => listed(args, (request) => listOwnJobs(core, caller, request)),
      ),
      jobFilters: own(
        JobFilterConnection,
        "Your saved filters, newest first. Needs `jobs:read`.",
        (args, { core, caller }) => listed(args, (request) => listJobFilters(core, caller, request)),
      ),
      jobMatches: own(
        JobMatchConnection,
        "The jobs on the board that match your filters, the newest job first. Needs `jobs:read`.",
        (args, { core, caller }) => listed(args, (request) => listJobMatches(core, caller, request)),
      ),
      prompts: own(
        PromptConnection,
        "What you have submitted, newest first. Needs `prompts:read`.",
        (args, { core, caller }) => listed(args, (request) => listOwnPrompts(core, caller, request)),
      ),
      hiddenPosts: own(
        PostConnection,
        "Your posts and replies that moderators have hidden, newest first. Needs `feed:read`.",
        (args, { core, caller }) => listed(args, (request) => listHiddenPosts(core, caller, request)),
      ),
      bookmarks: own(
        PostConnection,
        "The posts and replies that you keep, the latest kept first; nobody else knows of it. What is hidden is not among them. Needs `feed:read`.",
        (args, { core, caller }) => listed(args, (request) => listBookmarks(core, caller, request)),
      ),
      following: own(
        BuilderConnection,
        "Whom you follow, the latest first; nobody who is suspended. Needs `profile:read`.",
        (args, { core, caller }) => listed(args, (request) => listFollowing(core, caller, request)),
      ),
      followedTags: own(
        FollowedTagConnection,
        "The tags that you follow, the latest first. Needs `feed:read`.",
        (args, { core, caller }) => listed(args, (request) => listFollowedTags(core, caller, request)),
      ),
      threads: t.field({
        type: ThreadConnection,
        nullable: true,
        description:
          "Your threads, all or those of one box, the one with the newest message first. Needs `messages:read`.",
        args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, ThreadFilter, "Threads") },
        resolve: (_viewer, args, context) => threads(args as ConnectionArgs, context) as never,
      }),
      notifications: t.field({
        type: NotificationConnection,
        nullable: true,
        description:
          "What you are told, newest first, of what your token may read. Needs `notifications:read`.",
        args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, NotificationFilter, "Notifications") },
        resolve: (_viewer, args, context) => notifications(args as ConnectionArgs, context) as never,
      }),
      unreadNotifications: t.int({
        nullable: true,
        description:
          "How many of them you have not read, counted up to a thousand. Needs `notifications:read`.",
        resolve: (_viewer, _, context) => unreadNotifications(context),
      }),
      notificationSettings: t.field({
        type: ToldOf,
        nullable: true,
        description: "What you want to be told of. Needs `notifications:read`.",
        resolve: (_viewer, _, context) => toldOf(context),
      }),
      messageSettings: t.field({
        type: Settings,
        nullable: true,
        description: "Who may write to you. Needs `messages:read`.",
        resolve: (_viewer, _, context) => settings(context),
      }),
      blocks: own(BlockConnection, "Whom you have blocked, the latest first. Needs `messages:read`.", blocks),
    };
  },
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    description: "You: the account behind the token.",
    resolve: (_root, _, { caller }) => caller,
  }),
  profile: t.field({
    type: BuilderRef,
    nullable: true,
    description:
      "A builder by their handle, in any case; without one, your own. Needs `profile:read`. Refused as `not_found` where there is none.",
    args: {
      username: t.arg.string({ required: false, description: "The handle, without a leading @." }),
    },
    resolve: (_root, { username }, { core, caller }) =>
      username == null ? getOwnProfile(core, caller) : getProfile(core, caller, username),
  }),
}));

mutationOf(profileOperations.changeProfile, {
  payload: { builder: { type: BuilderRef, description: "Your profile as it is now." } },
});

const AVATAR = {
  payload: {
    avatar: { type: "String", description: wordsOf(AvatarView.properties.avatar) },
    crest: { type: "String", description: wordsOf(AvatarView.properties.crest) },
  },
  show: (shown: Avatar) => shown,
};
mutationOf(profileOperations.setAvatar, AVATAR);
mutationOf(profileOperations.removeAvatar, AVATAR);

const { addProject, changeProject, deleteProject } = projectOperations;
const OWNER = {
  builder: {
    type: BuilderRef,
    description: "You, with your projects as they are now. They need `profile:read`.",
  },
};
const PROJECT = {
  payload: { project: { type: ProjectRef, description: "The project as it is now." }, ...OWNER },
  show: (project: Project, { caller }: Asked) => ({ project, builder: me(caller) }),
};

mutationOf(addProject, PROJECT);
mutationOf(changeProject, PROJECT);
mutationOf(deleteProject, {
  payload: { ...GONE.payload, ...OWNER },
  show: (_result, { id, caller }) => ({ deletedId: id, builder: me(caller) }),
});

/** To an app with OpenID Connect's `profile`, which has it in the ID token too; others read the profile. */
function ownName(core: Core, { builderId, identity, scopes }: Caller): { name?: string } {
  if (!builderId || !identity?.has("profile") || scopes.has("profile:read")) return {};
  const name = claimsOf(core, builderId, identity)?.["name"];
  return name === undefined ? {} : { name };
}

/** The caller as whose project it is. */
function me({ builderId, username }: Caller) {
  return { id: builderId ?? "", username };
}
