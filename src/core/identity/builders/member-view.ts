import { Type } from "@sinclair/typebox";
import { Choice, type Filtered } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import { parseTimestamp, TimestampText } from "../../base/timestamp.ts";
import { DisplayText, Enum, orNull, Timestamp } from "../../base/view.ts";
import type { Caller } from "../access/caller.ts";
import { ROLES } from "../access/roles.ts";
import { listBuilders, MEMBER_STANDINGS, type MemberListEntry } from "./member-list.ts";

/** Filters and entries of the moderators' list of members, as clients of the API see them. */

export const MemberFilter = Type.Object({
  username: Type.Optional(
    Type.String({ description: "Return only members whose username starts with this text." }),
  ),
  new_since: Type.Optional(TimestampText({ description: "Return only members who joined after this time." })),
  inviter: Type.Optional(
    Type.String({ description: "Return only members whom this member invited, by username." }),
  ),
  network: Type.Optional(
    Type.String({
      description:
        "Return only members who signed up from the same network as this member within 30 days, by username.",
    }),
  ),
  link_host: Type.Optional(
    Type.String({ description: "Return only members whose newest posts link to this host." }),
  ),
  standing: Type.Optional(Choice(MEMBER_STANDINGS, "Return only members with this standing.")),
});

export const MemberView = Type.Object(
  {
    username: DisplayText("The username.", "ada"),
    name: DisplayText("The display name.", "Ada Lovelace"),
    role: Enum(ROLES, "The role in the community."),
    suspendedAt: orNull(Timestamp(), {
      description: "The time of the suspension. `null` for a member who can sign in.",
      examples: [null],
    }),
    createdAt: Timestamp({ description: "The time at which the member joined." }),
  },
  { $id: "Member" },
);

/** Lists members, as `listBuilders` does. */
export function listMembers(
  core: Core,
  caller: Caller,
  { new_since: since, link_host: linkHost, ...filter }: Filtered<typeof MemberFilter>,
  request: PageRequest,
): Page<MemberListEntry> {
  const newSince = since === undefined ? undefined : (parseTimestamp(since) ?? 0);
  return listBuilders(core, caller, { ...filter, newSince, linkHost }, request);
}
