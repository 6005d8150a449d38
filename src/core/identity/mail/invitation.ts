import { type Static, Type } from "@sinclair/typebox";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { Caller } from "../access/caller.ts";
import { type Invite, InviteDraft, makeInvite } from "../accounts/invites.ts";
import { recordBy } from "../audit/audit.ts";
import { MailAddress, sendsMail } from "./mail.ts";
import { admitInvitation } from "./mail-limits.ts";
import { queueMail } from "./queue.ts";

/*
 * Invitations by mail go to people who never asked: few of each member, few to each address, and nothing in
 * them that their inviter has written. The address stands in the queue alone, and goes with the mail.
 */

/** Left out where the link is handed over by hand. */
export const InvitationDraft = Type.Object(
  { address: Type.Optional(MailAddress) },
  { additionalProperties: false },
);
export type InvitationDraft = Static<typeof InvitationDraft>;

/** The same beside what is said of the link. */
export const NewcomerDraft = Type.Object(
  { ...InvitationDraft.properties, ...InviteDraft.properties },
  { additionalProperties: false },
);
export type NewcomerDraft = Static<typeof NewcomerDraft>;

/**
 * Makes an invite link as `makeInvite` does, and with an address sends it there, too. Throws as that, and
 * conflict where this community sends no mail, rate_limited for too many mails: then there is no link either.
 */
export function inviteNewcomer(
  core: Core,
  caller: Caller,
  { address, ...draft }: NewcomerDraft,
): Invite & { url: string } {
  return core.db.transact(() => {
    const made = makeInvite(core, caller, draft);
    if (address === undefined) return made;
    const token = new URL(made.url).searchParams.get("invite") ?? "";
    mailInvitation(core, { builderId: caller.builderId, address, token });
    // To whom, no log has to know.
    recordBy(core, caller, "invite.mailed", caller.builderId, { link: made.id });
    return made;
  });
}

/**
 * Puts a link to somebody on its way. Asks no right and looks nobody up: who has the address is no matter of
 * the inviter's. Throws conflict where this community sends no mail, rate_limited, for whichever bound is met
 * the same. Call it in the transaction that makes the link.
 */
export function mailInvitation(
  core: Core,
  { builderId, address, token }: { builderId: string | null; address: string; token: string },
): void {
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  admitInvitation(core, builderId, address);
  if (!queueMail(core, { kind: "invitation", builderId, address, token }))
    throw refuse("invitation_mails_too_many");
}
