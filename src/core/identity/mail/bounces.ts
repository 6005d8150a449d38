import type { Core } from "../../base/core.ts";
import { OWN_MAIL } from "../notifications/kinds.ts";
import { notify, withdrawNotification } from "../notifications/notify.ts";
import { findMailAddress, putMailAddress } from "./mail-store.ts";
import type { Mail } from "./queue.ts";

/*
 * Mailboxes that permanently refuse mail (docs/contract.md#12.20). The member's email address is kept.
 * Security mail is still sent to the address, and the owner can confirm the address again. Notifications and
 * digests are no longer sent by email.
 */

const KIND = "mail_bounced";

/**
 * Marks `address` as bouncing and notifies its owner once. Does nothing unless `address` is the current
 * confirmed address of the email's owner. Call it in a transaction.
 */
export function noteBounce(core: Core, { kind, builderId }: Mail, address: string): void {
  // The recipient of an invitation has no account: its `builderId` is the inviter.
  const row = kind === "invitation" || builderId === null ? undefined : findMailAddress(core, builderId);
  if (row?.address !== address || row.bouncedAt !== null) return;
  putMailAddress(core, { builderId: row.builderId, bouncedAt: core.clock.now() });
  notify(core, { to: row.builderId, kind: KIND, subject: OWN_MAIL });
}

/**
 * Withdraws the notification of `noteBounce`. Call it in the transaction that removes the email address or
 * confirms it again.
 */
export function forgetBounce(core: Core, builderId: string): void {
  withdrawNotification(core, { kind: KIND, subject: OWN_MAIL, to: builderId });
}
