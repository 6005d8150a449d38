import { communityOperations } from "../../src/operations/community.ts";
import type { FixtureCommunity } from "./fixture-community.ts";
import { list, mutation, type Row, type Shown } from "./parity-row.ts";

const INVITATION = "invitationId label invitedBy uses used createdAt expiresAt";
const SETTINGS = Object.keys(communityOperations.getCommunitySettings.view?.["properties"] ?? {}).join(" ");

const renamed =
  (from: string) =>
  ({ [from]: id, ...rest }: Shown) => ({ ...rest, id });
const bare = () => "";

/** The parity rows of invitations, join requests, roles and settings. */
export function communityRows({ invitation, application }: FixtureCommunity): Readonly<Record<string, Row>> {
  const answered = { param: application, shape: bare };
  return {
    getCommunitySettings: { graph: `{ communitySettings { ${SETTINGS} } }`, at: "communitySettings" },
    changeCommunitySettings: {
      ...mutation("changeCommunitySettings", `settings { ${SETTINGS} }`, "settings"),
      body: { name: "Beekeepers", joining: "approval", equal_texts: null, hold_newcomer_links: false },
      refused: [
        { body: { name: " " }, as: "bad_request" },
        { body: { zone: "Mars/Olympus" }, as: "unprocessable" },
      ],
    },
    listInvitations: {
      graph: `{ invitations { ${INVITATION} } }`,
      at: "invitations",
      shape: renamed("invitation_id"),
    },
    getInvitation: {
      param: invitation,
      graph: `query($id: ID!) { invitation(id: $id) { ${INVITATION} } }`,
      at: "invitation",
      shape: renamed("invitation_id"),
    },
    createInvitation: {
      ...mutation("createInvitation", `invitation { ${INVITATION} url }`, "invitation"),
      body: { label: "Meetup", uses: 3 },
      shape: renamed("invitation_id"),
      refused: [{ body: { uses: 0 }, as: "bad_request" }],
    },
    withdrawInvitation: {
      ...mutation("withdrawInvitation", "deletedId", ""),
      param: invitation,
      shape: bare,
    },
    listApplications: {
      ...list("applications", "applicationId username name why createdAt"),
      shape: renamed("application_id"),
    },
    approveApplication: { ...mutation("approveApplication", "applicationId", ""), ...answered },
    declineApplication: {
      ...mutation("declineApplication", "applicationId", ""),
      ...answered,
      body: { word: "Not now." },
    },
    changeRole: {
      ...mutation("changeRole", "username role", ""),
      param: "bo",
      body: { role: "moderator" },
      refused: [
        { body: { role: "admin" }, as: "bad_request" },
        { param: "ada", body: { role: "member" }, as: "forbidden" },
        { param: "nobody", body: { role: "member" }, as: "not_found" },
      ],
    },
  };
}
