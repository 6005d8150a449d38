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
 * Invitations by email reach people who did not ask for them. So each member may send few invitations, and
 * each address gets few emails. Invitations contain no text of the inviter. The recipient's address is stored
 * only in the queue and deleted with the mail.
 */

/** Recipient of an invitation. Without an address, no email is sent and the inviter passes on the link. */
export const InvitationDraft = Type.Object(
  { address: Type.Optional(MailAddress) },
  { additionalProperties: false },
);
export type InvitationDraft = Static<typeof InvitationDraft>;

/** `InvitationDraft` plus the settings of the link. */
export const NewcomerDraft = Type.Object(
  { ...InvitationDraft.properties, ...InviteDraft.properties },
  { additionalProperties: false },
);
export type NewcomerDraft = Static<typeof NewcomerDraft>;

/**
 * Makes an invite link like `makeInvite`, and sends it to `address` if given. Throws like `makeInvite`.
 * Throws conflict when this community sends no mail and rate_limited for too many emails; then no link is
 * made.
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
    // The log must not contain the recipient.
    recordBy(core, caller, "invite.mailed", caller.builderId, { link: made.id });
    return made;
  });
}

/**
 * Queues an email with an invite link to an address. Checks no permission. Does not look up the address, so
 * that the inviter learns nothing about its owner. Throws conflict when this community sends no mail. Throws
 * the same rate_limited for each limit. Call it in the transaction that makes the link.
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
