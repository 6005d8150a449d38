import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Choice } from "../core/base/check.ts";
import { DisplayText, Enum, Id, orNull, Timestamp } from "../core/base/view.ts";
import { changeRole } from "../core/identity/accounts/administration.ts";
import {
  getInvite,
  InviteDraft,
  listInvites,
  makeInvite,
  withdrawInvite,
} from "../core/identity/accounts/invites.ts";
import {
  AnswerDraft,
  approveApplication,
  declineApplication,
  listApplications,
} from "../core/identity/applications/applications.ts";
import {
  type CommunitySettings,
  CommunitySettingsDraft,
} from "../core/identity/community-settings/community-settings.ts";
import {
  changeCommunitySettings,
  type CommunitySettingsChange,
  getCommunitySettings,
} from "../core/services/community-settings/community-settings.ts";
import { all, area, list, read, write } from "./operation.ts";

const ADMIN = { scope: "admin" } as const;

const invitation = {
  id: Id("lnk_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the invitation."),
  label: DisplayText("The admins' name for the link. Empty if it has none.", "Meetup in May"),
  invitedBy: orNull(Type.String(), {
    description: "The username of the creator. `null` if the operator created the invitation.",
    examples: ["ada"],
  }),
  uses: Type.Integer({ description: "The number of people who can join with the link.", examples: [5] }),
  used: Type.Integer({ description: "The number of people who joined with the link.", examples: [2] }),
  createdAt: Timestamp({ description: "The time at which the invitation was created." }),
  expiresAt: Timestamp({ description: "The time at which the link expires." }),
};
export const InvitationView = Type.Object(invitation, { $id: "Invitation" });
export const NewInvitationView = Type.Object(
  {
    ...invitation,
    url: DisplayText("The link. It is shown only once.", "https://guild.example/sign-up?invite=…"),
  },
  { $id: "NewInvitation" },
);

export const ApplicationView = Type.Object(
  {
    id: Id("apl_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the join request."),
    username: DisplayText("The requested username.", "nia"),
    name: DisplayText("The display name.", "Nia"),
    why: DisplayText("The applicant's reason to join.", "I keep bees."),
    createdAt: Timestamp({ description: "The time of the join request." }),
  },
  { $id: "Application" },
);

/** Roles that a token gives. Only a person gives the roles above them. */
export const TOKEN_ROLES = ["member", "moderator"] as const;
const RoleChange = Type.Object({ role: Choice(TOKEN_ROLES, "The new role.", ["moderator"]) });
export const MemberRoleView = Type.Object(
  {
    username: DisplayText("The username.", "bo"),
    role: Enum(TOKEN_ROLES, "The role of the member."),
  },
  { $id: "MemberRole" },
);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const SETTINGS = Object.keys(CommunitySettingsDraft.properties) as (keyof CommunitySettings)[];

/** Returns the schema of a setting in a response, without the limits of the input. */
function shown(schema: TSchema): TSchema {
  const {
    type,
    description = "",
    enum: values,
  } = schema as unknown as { type: string; description?: string; enum?: [] };
  if (values) return Enum(values, description);
  if (type === "boolean") return Type.Boolean({ description, examples: [true] });
  return type === "integer" ? Type.Integer({ description, examples: [3] }) : DisplayText(description, "");
}

export const CommunitySettingsView = Type.Object(
  Object.fromEntries(SETTINGS.map((name) => [name, shown(CommunitySettingsDraft.properties[name])])),
  { $id: "CommunitySettings" },
);

/** Returns the schema of a setting in a request. Null resets the setting to its default. */
function resettable(schema: TSchema): TSchema {
  const { description = "", fault } = schema;
  const rule = `${schema["rule"]}, or null`;
  return Type.Optional(Type.Union([schema, Type.Null()], { description, rule, fault }));
}

const SettingsChange = Type.Object(
  Object.fromEntries(
    SETTINGS.map((name) => [snake(name), resettable(CommunitySettingsDraft.properties[name])]),
  ),
) as TObject;

/** Returns the settings under the core's names. */
function changesOf(draft: Readonly<Record<string, unknown>>): CommunitySettingsChange {
  const given = SETTINGS.filter((name) => draft[snake(name)] !== undefined);
  return Object.fromEntries(given.map((name) => [name, draft[snake(name)]]));
}

const anInvitation = {
  name: "id",
  description: "The identifier of the invitation.",
  example: "lnk_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const anApplication = {
  name: "id",
  description: "The identifier of the join request.",
  example: "apl_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const communityOperations = area("Community", {
  getCommunitySettings: read({
    route: "GET /community/settings",
    summary: "Retrieve the community settings",
    description: "Returns all settings, with the defaults of those that nobody changed.",
    ...ADMIN,
    view: CommunitySettingsView,
    responseDescription: "The settings",
    run: ({ core, caller }) => ({ ...getCommunitySettings(core, caller) }),
  }),
  changeCommunitySettings: write({
    route: "PATCH /community/settings",
    summary: "Change the community settings",
    description:
      "Changes the fields you send and keeps the others. `null` resets a field to its default. Returns all settings.",
    ...ADMIN,
    effect: "changes",
    draft: SettingsChange,
    view: CommunitySettingsView,
    responseDescription: "The settings",
    refusals: [422],
    run: ({ core, caller, draft }) => ({
      ...changeCommunitySettings(core, caller, changesOf(draft as never)),
    }),
  }),
  listInvitations: all({
    route: "GET /invitations",
    summary: "List open invitations",
    description: "Returns the open invitations of all admins, newest first, without their links.",
    ...ADMIN,
    view: InvitationView,
    list: "InvitationList",
    responseDescription: "The open invitations",
    run: ({ core, caller }) => listInvites(core, caller),
  }),
  createInvitation: write({
    route: "POST /invitations",
    summary: "Create an invitation",
    description:
      "Creates a link by which people join. By default, the link is valid for one person and seven days. It stops working when you are no longer an admin.",
    restDescription: "Returns 409 if a hundred invitations are open.",
    ...ADMIN,
    effect: "creates",
    draft: InviteDraft,
    view: NewInvitationView,
    responseDescription: "The invitation with its link",
    refusals: [409],
    locationOf: ({ id }) => `/invitations/${id}`,
    run: ({ core, caller, draft }) => makeInvite(core, caller, draft),
  }),
  getInvitation: read({
    route: "GET /invitations/{id}",
    summary: "Retrieve an open invitation",
    description: "Returns an open invitation of any admin, without its link.",
    ...ADMIN,
    param: anInvitation,
    view: InvitationView,
    responseDescription: "The invitation",
    run: ({ core, caller, id }) => getInvite(core, caller, id),
  }),
  withdrawInvitation: write({
    route: "DELETE /invitations/{id}",
    summary: "Withdraw an invitation",
    description: "The accounts of people who joined with the link remain.",
    ...ADMIN,
    effect: "removes",
    param: anInvitation,
    responseDescription: "The invitation is withdrawn",
    run: ({ core, caller, id }) => withdrawInvite(core, caller, id),
  }),
  listApplications: list({
    route: "GET /applications",
    summary: "List join requests",
    description: "Returns the join requests that wait for a decision, oldest first.",
    ...ADMIN,
    view: ApplicationView,
    page: "ApplicationPage",
    responseDescription: "One page of join requests",
    run: ({ core, caller, page }) => listApplications(core, caller, page),
  }),
  approveApplication: write({
    route: "PUT /applications/{id}/approved",
    summary: "Approve a join request",
    description: "Creates the account of the applicant, who can then sign in.",
    ...ADMIN,
    effect: "changes",
    param: anApplication,
    draft: AnswerDraft,
    isDraftOptional: true,
    responseDescription: "The join request is approved",
    refusals: [409],
    run: ({ core, caller, id, draft }) => void approveApplication(core, caller, id, draft),
  }),
  declineApplication: write({
    route: "PUT /applications/{id}/declined",
    summary: "Decline a join request",
    description: "Deletes the text of the request. The applicant can read your message for 30 days.",
    ...ADMIN,
    effect: "changes",
    param: anApplication,
    draft: AnswerDraft,
    isDraftOptional: true,
    responseDescription: "The join request is declined",
    run: ({ core, caller, id, draft }) => declineApplication(core, caller, id, draft),
  }),
  changeRole: write({
    route: "PUT /profiles/{username}/role",
    summary: "Change the role of a member",
    description:
      "Makes a member a moderator, or a moderator a member. Only a signed-in person gives or takes the roles of admins and owners.",
    ...ADMIN,
    effect: "changes",
    param: { name: "username", description: "The username of the member.", example: "bo" },
    draft: RoleChange,
    view: MemberRoleView,
    responseDescription: "The member with the new role",
    refusals: [409],
    run({ core, caller, id, draft: { role } }): Static<typeof MemberRoleView> {
      changeRole(core, caller, id, role);
      return { username: id, role };
    },
  }),
});
