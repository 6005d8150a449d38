import { createHmac } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { DAY } from "../../ground/clock.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import type { Caller } from "../access/caller.ts";
import { type Invite, InviteDraft, makeInvite } from "../accounts/invites.ts";
import { recordBy } from "../audit/audit.ts";
import { countSentBy, countSentTo, insertInvitationMail, pruneInvitationMails } from "./invitation-store.ts";
import { MailAddress, sendsMail } from "./mail.ts";
import { queueMail } from "./queue.ts";

/*
 * Invitations by mail go to people who never asked: few of each member, few to each address, and nothing in them that
 * their inviter has written. The address stands in the queue alone, and goes with the mail.
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

const PER_INVITER = 20;
const PER_ADDRESS = 3;
/** Also where they take back what they asked. */
const PER_STRANGER = 5;

/**
 * Makes an invite link as `makeInvite` does, and with an address sends it there, too. Throws as that, and conflict where
 * this community sends no mail, rate_limited for too many mails: then there is no link either.
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
 * Puts a link to somebody on its way. Asks no right and looks nobody up: who has the address is no matter of the
 * inviter's. Throws conflict where this community sends no mail, rate_limited, for whichever bound is met the same.
 * Call it in the transaction that makes the link.
 */
export function mailInvitation(
  core: Core,
  { builderId, address, token }: { builderId: string | null; address: string; token: string },
): void {
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  const now = core.clock.steady();
  const mark = markOf(core, address);
  const isMuch =
    (builderId !== null && countSentBy(core, builderId, now - DAY) >= PER_INVITER) ||
    countSentTo(core, mark, now - DAY) >= PER_ADDRESS;
  if (isMuch || !queueMail(core, { kind: "invitation", builderId, address, token }))
    throw refuse("invitation_mails_too_many");
  insertInvitationMail(core, { builderId, mark, createdAt: now });
}

/**
 * Admits a mail that a stranger asks for, and counts it beside the invitations: few to each address and few from each.
 * Throws rate_limited. Call it in a transaction.
 */
export function admitStranger(core: Core, from: string, address: string): void {
  const now = core.clock.steady();
  const [to, by] = [markOf(core, address), markOf(core, `from ${from}`)];
  if (countSentTo(core, to, now - DAY) >= PER_ADDRESS || countSentTo(core, by, now - DAY) >= PER_STRANGER)
    throw refuse("application_mails_too_many");
  for (const mark of [to, by]) insertInvitationMail(core, { builderId: null, mark, createdAt: now });
}

/** Drops what counts no more. Called now and then. */
export async function forgetInvitationMails(core: Core): Promise<void> {
  const before = core.clock.steady() - DAY;
  while ((await core.db.write(() => pruneInvitationMails(core, before, 500))) > 0);
}

/** Of one mailbox, however its letters are written. */
function markOf(core: Core, address: string): Buffer {
  const [key] = core.secrets.derivedKeys("invited-address");
  return createHmac("sha256", key).update(address.toLowerCase()).digest();
}
