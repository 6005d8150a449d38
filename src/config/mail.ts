import { mailAddress, pemFile, smtpAddress } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Settings of the mail server (docs/contract.md#12.20). */
export const MAIL = {
  smtpUrl: setting({
    name: "SMTP_URL",
    type: "address",
    parse: smtpAddress,
    unset: undefined,
    isSecret: true,
    example: "smtps://guild:password@mail.example:465",
    bounds: "smtp:// or smtps:// with a host; user name and password percent-encoded",
    meaning:
      "Mail server. Use `smtps://` for TLS from the first byte (port 465), `smtp://` for STARTTLS (port 587). A server without STARTTLS is refused, unless it is this machine. Without a mail server, no mail is sent",
  }),
  smtpCa: setting({
    name: "SMTP_CA",
    type: "file",
    parse: pemFile,
    unset: undefined,
    example: "/etc/guildhall/ca.pem",
    bounds: "a readable file with certificates",
    meaning:
      "PEM file of certificate authorities to trust for the mail server, in addition to the built-in ones",
  }),
  mailFrom: setting({
    name: "MAIL_FROM",
    type: "text",
    parse: mailAddress,
    unset: undefined,
    example: "guild@example.org",
    meaning: "Sender address of mail. Required with `GUILDHALL_SMTP_URL`",
  }),
} as const;
