import { createTransport } from "nodemailer";
import { type CheckResult, ok, warning } from "../../core/services/checkup/checkup.ts";
import { nameOfServer } from "../../delivery/mail-server.ts";
import { transportOptions } from "../../delivery/smtp.ts";
import type { CheckContext } from "./context.ts";
import { codeOf } from "./format.ts";

/** Whether the mail server takes our connection, with TLS and who we say we are (docs/contract.md#12.20). Nothing is sent. */
export async function checkMail({ config: { smtpUrl, smtpCa } }: CheckContext): Promise<CheckResult> {
  if (smtpUrl === undefined) return ok("mail", "no mail is sent: no server is named");
  const options = transportOptions(smtpUrl, smtpCa);
  const server = nameOfServer(smtpUrl);
  const transport = createTransport(options);
  try {
    await transport.verify();
    return ok("mail", `mail is handed to ${server}`);
  } catch (error) {
    return warning(
      "mail",
      `the mail server ${server} does not take mail from here (${codeOf(error)}): what is to be sent waits, for three days at most`,
      "check GUILDHALL_SMTP_URL (host, port, name and password), and GUILDHALL_SMTP_CA where its certificate is of an authority of your own",
    );
  } finally {
    transport.close();
  }
}
