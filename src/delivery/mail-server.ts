/** Where a mail server listens; `host` without the brackets of an IPv6 address. */
export interface MailServerAddress {
  host: string;
  port: number;
  /** TLS from the first byte. */
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

/** `mail.example:587`, without a name or password. */
export function nameOfServer(smtpUrl: string): string {
  return `${new URL(smtpUrl).hostname}:${addressOfServer(smtpUrl).port}`;
}
