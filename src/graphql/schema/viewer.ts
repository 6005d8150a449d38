import type { Caller } from "../../core/identity/access/caller.ts";
import type { Core } from "../../core/base/core.ts";
import { claimsOf } from "../../core/delegation/oauth/subjects.ts";
import { type Avatar, AvatarView } from "../../core/community/media/avatars.ts";
import { listBookmarks } from "../../core/community/feed/bookmarks.ts";
import { listHiddenPosts } from "../../core/community/feed/feed.ts";
import { getOwnProfile, getProfile } from "../../core/community/profiles/profiles.ts";
import { type Project } from "../../core/community/profiles/projects.ts";
import { listOwnPrompts } from "../../core/community/prompts/prompts.ts";
import { NextTimeZoneView, type Streak, StreakView } from "../../core/community/xp/streaks.ts";
import { getCurrentWorkspace } from "../../core/delegation/workspaces/workspaces.ts";
import { getXpEntries, XpEntryView } from "../../core/community/xp/xp.ts";
import { profileOperations } from "../../operations/profiles.ts";
import type { OperationRequest } from "../../operations/operation.ts";
import { projectOperations } from "../../operations/projects.ts";
import { builder } from "../builder.ts";
import { listConnection } from "../connection.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { output, payloadOf } from "../outputs.ts";
import { followingOperations } from "../../operations/following.ts";
import { jobFilterOperations } from "../../operations/saved-filters.ts";
import { jobOperations } from "../../operations/jobs.ts";
import { messageOperations } from "../../operations/messages.ts";
import { notificationOperations } from "../../operations/notifications.ts";
import { countNotifications } from "../../core/services/notifications/notifications.ts";
import { countUnread } from "../../core/community/messages/messages.ts";
import { queryField } from "../query.ts";
import { FollowedTagConnection } from "./following.ts";
import { BlockConnection, MessageSettingsRef } from "./message.ts";
import { NotificationConnection, NotificationSettingsRef } from "./notification.ts";
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
import { knownRule, ScopeEnum, XpRuleEnum } from "./enums.ts";

output("NextTimeZone", NextTimeZoneView, "A chosen time zone that does not apply yet.");
const StreakRef = output<Streak>(
  "Streak",
  StreakView,
  "Your streak of active days, and the time zone in which they are counted.",
);

node(XpEntryRef, {
  description: "One entry of your XP history. The sum of all entries is your XP.",
  kind: "xp",
  many: getXpEntries,
  view: XpEntryView,
  texts: { reason: "Use `rule`, which is an enum." },
  fields: (t) => ({
    rule: t.field({
      type: XpRuleEnum,
      nullable: true,
      description: "The rule that awarded the points. `null` for a rule that this version no longer knows.",
      resolve: ({ reason }) => knownRule(reason),
    }),
  }),
});
const XpConnection = connectionOf(XpEntryRef, "XpEntry", "XP entries");

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const Viewer = builder.objectRef<Caller>("Viewer").implement({
  description: "The account behind the token, with everything that only you can see.",
  fields: (t) => {
    /** Creates a field with the viewer's own data. */
    const own = (...reading: Tail<Parameters<typeof queryField>>) => queryField(t, ...reading);
    return {
      builder: t.field({
        type: BuilderRef,
        description:
          "Your public profile. An app with the OpenID Connect scope `profile` can read `name` without `profile:read`.",
        resolve: (caller, _, { core }) => ({ ...me(caller), ...ownName(core, caller) }),
      }),
      scopes: t.stringList({
        description: "The scopes of this token.",
        deprecationReason: "Use `grantedScopes`, which is of an enum.",
        resolve: ({ scopes }) => [...scopes],
      }),
      grantedScopes: t.field({
        type: [ScopeEnum],
        description: "The scopes of this token.",
        resolve: ({ scopes }) => [...scopes],
      }),
      workspace: t.field({
        type: WorkspaceRef,
        description: "The workspace of this token.",
        resolve: (caller, _, { core }) => getCurrentWorkspace(core, caller),
      }),
      streak: own(profileOperations.getStreak, StreakRef),
      unread: t.int({
        nullable: true,
        description:
          "The number of unread messages in all conversations. Requires the `messages:read` scope.",
        resolve: (caller, _, { core }) => countUnread(core, caller),
      }),
      xpEntries: own(profileOperations.listXp, XpConnection),
      projects: own(projectOperations.listProjects, ProjectConnection),
      jobs: own(jobOperations.listOwnJobs, JobConnection),
      jobFilters: own(jobFilterOperations.listJobFilters, JobFilterConnection),
      jobMatches: own(jobFilterOperations.listJobMatches, JobMatchConnection),
      prompts: t.field({
        type: PromptConnection,
        nullable: true,
        description: "Your own prompts, newest first. Requires the `prompts:read` scope.",
        args: t.arg.connectionArgs(),
        resolve: (_viewer, args, { core, caller }) =>
          listConnection(args, (page) => listOwnPrompts(core, caller, page)),
      }),
      hiddenPosts: t.field({
        type: PostConnection,
        nullable: true,
        description:
          "Your posts and replies that moderators have hidden, newest first. Requires the `feed:read` scope.",
        args: t.arg.connectionArgs(),
        resolve: (_viewer, args, { core, caller }) =>
          listConnection(args, (page) => listHiddenPosts(core, caller, page)),
      }),
      bookmarks: own(followingOperations.listBookmarks, PostConnection, ({ core, caller, page }) =>
        listBookmarks(core, caller, page),
      ),
      following: own(followingOperations.listFollowing, BuilderConnection),
      followedTags: own(followingOperations.listFollowedTags, FollowedTagConnection),
      threads: own(messageOperations.listThreads, ThreadConnection),
      notifications: own(notificationOperations.listNotifications, NotificationConnection),
      unreadNotifications: t.int({
        nullable: true,
        description:
          "The number of unread notifications, counted up to 1,000. Requires the `notifications:read` scope.",
        resolve: (caller, _, { core }) => countNotifications(core, caller),
      }),
      notificationSettings: own(notificationOperations.getNotificationSettings, NotificationSettingsRef),
      messageSettings: own(messageOperations.getMessageSettings, MessageSettingsRef),
      blocks: own(messageOperations.listBlocks, BlockConnection),
    };
  },
});

builder.queryFields((t) => ({
  viewer: t.field({
    type: Viewer,
    description: "The account behind the token.",
    resolve: (_root, _, { caller }) => caller,
  }),
  profile: t.field({
    type: BuilderRef,
    nullable: true,
    description:
      "A builder by username, in upper or lower case. Without `username`, you get your own profile. Requires the `profile:read` scope. Returns a `not_found` error if no builder has this username.",
    args: {
      username: t.arg.string({ required: false, description: "The username, without a leading @." }),
    },
    resolve: (_root, { username }, { core, caller }) =>
      username == null ? getOwnProfile(core, caller) : getProfile(core, caller, username),
  }),
}));

mutationOf(profileOperations.changeProfile, {
  payload: { builder: { type: BuilderRef, description: "Your changed profile." } },
});

const AVATAR = {
  payload: payloadOf(AvatarView),
  toPayload: (shown: Avatar) => shown,
};
mutationOf(profileOperations.setAvatar, AVATAR);
mutationOf(profileOperations.removeAvatar, AVATAR);

const { addProject, changeProject, deleteProject } = projectOperations;
const OWNER = {
  builder: {
    type: BuilderRef,
    description:
      "Your own profile, with your projects. Reading the projects requires the `profile:read` scope.",
  },
};
const PROJECT = {
  payload: { project: { type: ProjectRef, description: "The project." }, ...OWNER },
  toPayload: (project: Project, { caller }: OperationRequest) => ({ project, builder: me(caller) }),
};

mutationOf(addProject, PROJECT);
mutationOf(changeProject, PROJECT);
mutationOf(deleteProject, {
  payload: { ...DELETED_PAYLOAD.payload, ...OWNER },
  toPayload: (_result, { id, caller }) => ({ deletedId: id, builder: me(caller) }),
});

/**
 * Returns the name of the caller for an app that has only the scope `profile` of OpenID Connect. The ID token
 * of such an app contains the same name. Apps with the scope `profile:read` read the name from the profile.
 */
function ownName(core: Core, { builderId, identity, scopes }: Caller): { name?: string } {
  if (!builderId || !identity?.has("profile") || scopes.has("profile:read")) return {};
  const name = claimsOf(core, builderId, identity)?.["name"];
  return name === undefined ? {} : { name };
}

/** Returns the caller as the owner of a project. */
function me({ builderId, username }: Caller) {
  return { id: builderId ?? "", username };
}
