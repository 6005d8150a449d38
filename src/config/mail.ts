import { mailAddress, pemFile, smtpAddress } from "./parsers.ts";
import { setting } from "./setting.ts";

/** The server that mail is handed to (docs/contract.md#12.20). */
export const MAIL = {
  smtpUrl: setting({
    name: "SMTP_URL",
    type: "address",
    parse: smtpAddress,
    none: undefined,
    isSecret: true,
    example: "smtps://guild:password@mail.example:465",
    bounds: "smtp:// or smtps://, with a host; a name and password are percent-encoded",
    meaning:
      "the mail server: `smtps://` with TLS from the first byte (465), `smtp://` with STARTTLS (587), which it must offer unless it is this machine; without it no mail is sent",
  }),
  smtpCa: setting({
    name: "SMTP_CA",
    type: "file",
    parse: pemFile,
    none: undefined,
    example: "/etc/guildhall/ca.pem",
    bounds: "a readable file with certificates",
    meaning: "PEM file of who vouches for that server, beside the authorities that the program knows",
  }),
  mailFrom: setting({
    name: "MAIL_FROM",
    type: "text",
    parse: mailAddress,
    none: undefined,
    example: "guild@example.org",
    meaning: "whom mail comes from; set with the mail server",
  }),
} as const;
