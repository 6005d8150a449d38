import type { Core } from "../../base/core.ts";
import { OWN_MAIL } from "../notifications/kinds.ts";
import { notify, withdrawNotification } from "../notifications/notify.ts";
import { findMailAddress, putMailAddress } from "./mail-store.ts";
import type { Mail } from "./queue.ts";

/*
 * A mailbox that refuses mail for good (docs/contract.md#12.20). Its address stays, so that security mail is
 * still tried and the owner can confirm the address again; notifications and digests stop.
 */

const KIND = "mail_bounced";

/**
 * Marks the address of a mail's owner and notifies them, once for each marking. Does nothing unless the mail
 * went to the address that the owner has confirmed and still has. Call it in a transaction.
 */
export function noteBounce(core: Core, { kind, builderId }: Mail, address: string): void {
  // The recipient of an invitation is not its builder.
  const row = kind === "invitation" || builderId === null ? undefined : findMailAddress(core, builderId);
  if (row?.address !== address || row.bouncedAt !== null) return;
  putMailAddress(core, { builderId: row.builderId, bouncedAt: core.clock.now() });
  notify(core, { to: row.builderId, kind: KIND, subject: OWN_MAIL });
}

/**
 * Withdraws what `noteBounce` told. Call it where the address is confirmed again or goes, in that
 * transaction.
 */
export function forgetBounce(core: Core, builderId: string): void {
  withdrawNotification(core, { kind: KIND, subject: OWN_MAIL, to: builderId });
}
