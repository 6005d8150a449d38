/** Address of a mail server. `host` has no brackets around an IPv6 address. */
export interface MailServerAddress {
  host: string;
  port: number;
  /** Whether the connection starts with TLS (`smtps:`), instead of STARTTLS. */
  secure: boolean;
}

export function addressOfServer(smtpUrl: string): MailServerAddress {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const secure = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
  };
}

/** Returns for example `mail.example:587`, without user name and password. */
export function nameOfServer(smtpUrl: string): string {
  return `${new URL(smtpUrl).hostname}:${addressOfServer(smtpUrl).port}`;
}
