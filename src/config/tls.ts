import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { hostOf } from "../operate/tls/certificate.ts";
import type { TlsSettings } from "../operate/tls/tls.ts";
import { ConfigError } from "./file.ts";

interface Values {
  readonly data: string;
  readonly port: number;
  readonly origin: string | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly acme: string | undefined;
  readonly acmeDirectory: string;
  readonly acmeCa: string | undefined;
  readonly httpPort: number | undefined;
}

/** Port of Let's Encrypt's HTTP challenge (RFC 8555 §8.3), and the default port of browsers. */
const HTTP_PORT = 80;

/** Returns undefined for plain HTTP. Throws ConfigError for settings that contradict each other. */
export function tlsOf(values: Values): TlsSettings | undefined {
  const { data, port, origin, tlsCert: cert, tlsKey: key, acme: contact, httpPort } = values;
  if (contact === undefined && cert === undefined && key === undefined) {
    refuse(httpPort !== undefined, "GUILDHALL_HTTP_PORT needs TLS", TLS_WANTED);
    return undefined;
  }
  refuse(
    contact !== undefined && (cert ?? key) !== undefined,
    "GUILDHALL_ACME and GUILDHALL_TLS_CERT both set the certificate",
    "Remove one of them",
  );
  if (!origin?.startsWith("https:"))
    throw new ConfigError("TLS needs a public name. Set GUILDHALL_ORIGIN, such as https://guild.example.");
  refuse(
    httpPort !== 0 && httpPort === port,
    "GUILDHALL_HTTP_PORT is the same as GUILDHALL_PORT",
    "Choose another port, such as 80",
  );
  if (contact !== undefined) {
    const host = hostOf(origin);
    refuse(
      ipaddr.isValid(host) || !host.includes("."),
      `No certificate authority issues certificates for ${host}`,
      "Set GUILDHALL_ORIGIN to a public name, such as https://guild.example",
    );
    const authority = { contact, directory: values.acmeDirectory, ca: values.acmeCa };
    return {
      origin,
      source: { folder: { path: join(data, "tls"), authority } },
      httpPort: httpPort ?? HTTP_PORT,
    };
  }
  if (cert === undefined || key === undefined)
    throw new ConfigError("GUILDHALL_TLS_CERT and GUILDHALL_TLS_KEY belong together. Set both.");
  return { origin, source: { files: { cert, key } }, httpPort };
}

const TLS_WANTED =
  "Set GUILDHALL_TLS_CERT and GUILDHALL_TLS_KEY, or GUILDHALL_ACME, or remove GUILDHALL_HTTP_PORT";

function refuse(isWrong: boolean, why: string, instead: string): void {
  if (isWrong) throw new ConfigError(`${why}. ${instead}.`);
}
