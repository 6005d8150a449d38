import { createTransport } from "nodemailer";
import { type CheckResult, ok, warning } from "../../core/services/checkup/checkup.ts";
import { nameOfServer } from "../../delivery/mail-server.ts";
import { transportOptions } from "../../delivery/smtp.ts";
import type { CheckContext } from "./context.ts";
import { codeOf } from "./format.ts";

/**
 * Checks whether the mail server accepts a connection with TLS and our credentials (docs/contract.md#12.20).
 * Sends no mail.
 */
export async function checkMail({ config: { smtpUrl, smtpCa } }: CheckContext): Promise<CheckResult> {
  if (smtpUrl === undefined) return ok("mail", "No mail is sent, because no mail server is set.");
  const options = transportOptions(smtpUrl, smtpCa);
  const server = nameOfServer(smtpUrl);
  const transport = createTransport(options);
  try {
    await transport.verify();
    return ok("mail", `The mail server ${server} accepts mail from this machine.`);
  } catch (error) {
    return warning(
      "mail",
      `The mail server ${server} does not accept mail from this machine (${codeOf(error)}). Mail waits up to three days.`,
      "Check host, port, user name, and password in GUILDHALL_SMTP_URL. If the server uses its own certificate authority, also check GUILDHALL_SMTP_CA",
    );
  } finally {
    transport.close();
  }
}
