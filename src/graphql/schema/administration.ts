import type { Static } from "@sinclair/typebox";
import { FRONTS } from "../../core/base/db/schema-community.ts";
import { descriptionOf } from "../../core/base/view.ts";
import type { Invite } from "../../core/identity/accounts/invites.ts";
import type { Application } from "../../core/identity/applications/applications.ts";
import {
  ApplicationView,
  communityOperations,
  CommunitySettingsView,
  InvitationView,
  MemberRoleView,
  NewInvitationView,
  TOKEN_ROLES,
} from "../../operations/community.ts";
import { enumOf } from "../inputs.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { output, payloadOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { connectionOf } from "./refs.ts";

enumOf("Front", FRONTS, "The front page for visitors.", {
  feed: "The feed.",
  about: "The about page.",
});
enumOf("TokenRole", TOKEN_ROLES, "A role that a token can give.", {
  member: "A member without rights over others.",
  moderator: "A moderator.",
});

const InvitationRef = output<Invite>("Invitation", InvitationView, "An open invitation, without its link.", {
  out: ["id"],
  fields: (t) => ({
    invitationId: t.id({
      description: descriptionOf(InvitationView.properties.id),
      resolve: ({ id }) => id,
    }),
  }),
});
const NewInvitationRef = output<Static<typeof NewInvitationView>>(
  "NewInvitation",
  NewInvitationView,
  "A new invitation with its link.",
  {
    out: ["id"],
    fields: (t) => ({
      invitationId: t.id({
        description: descriptionOf(NewInvitationView.properties.id),
        resolve: ({ id }) => id,
      }),
    }),
  },
);
const ApplicationRef = output<Application>("Application", ApplicationView, "A join request that waits.", {
  out: ["id"],
  fields: (t) => ({
    applicationId: t.id({
      description: descriptionOf(ApplicationView.properties.id),
      resolve: ({ id }) => id,
    }),
  }),
});
const SettingsRef = output<object>("CommunitySettings", CommunitySettingsView, "All community settings.");

queryOf("communitySettings", communityOperations.getCommunitySettings, SettingsRef);
queryOf("invitation", communityOperations.getInvitation, InvitationRef);
queryOf("invitations", communityOperations.listInvitations, [InvitationRef]);
queryOf(
  "applications",
  communityOperations.listApplications,
  connectionOf(ApplicationRef, "Application", "applications"),
);

mutationOf(communityOperations.changeCommunitySettings, {
  payload: { settings: { type: SettingsRef, description: "The settings." } },
});
mutationOf(communityOperations.createInvitation, {
  payload: { invitation: { type: NewInvitationRef, description: "The invitation with its link." } },
});
mutationOf(communityOperations.withdrawInvitation, DELETED_PAYLOAD);
const ANSWERED = {
  payload: { applicationId: { type: "ID", description: "The identifier of the join request." } },
  toPayload: (_result: unknown, { id }: { id: string }) => ({ applicationId: id }),
};
mutationOf(communityOperations.approveApplication, ANSWERED);
mutationOf(communityOperations.declineApplication, ANSWERED);
mutationOf(communityOperations.changeRole, {
  payload: payloadOf(MemberRoleView),
  toPayload: (result) => result,
});
