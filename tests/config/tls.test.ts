// docs/contract.md#12.2: the TLS settings.
import { expect, test } from "bun:test";
import { ConfigError, readConfig } from "../../src/config/config.ts";

const ORIGIN = { GUILDHALL_ORIGIN: "https://guild.example" };
const FILES = { GUILDHALL_TLS_CERT: "/c.pem", GUILDHALL_TLS_KEY: "/k.pem" };
const ACME = { GUILDHALL_ACME: "you@example.org" };

test("serves plain HTTP without TLS settings; named files or an authority enable TLS, the authority with port 80", () => {
  expect(readConfig(ORIGIN).tls).toBeUndefined();
  expect(readConfig({ ...ORIGIN, ...FILES }).tls).toEqual({
    origin: "https://guild.example",
    source: { files: { cert: "/c.pem", key: "/k.pem" } },
    httpPort: undefined,
  });
  expect(readConfig({ ...ORIGIN, ...FILES, GUILDHALL_HTTP_PORT: "8080" }).tls?.httpPort).toBe(8080);
  const given = readConfig({ ...ORIGIN, ...ACME, GUILDHALL_DATA: "/srv/guild" }).tls;
  expect(given).toMatchObject({
    source: {
      folder: {
        path: "/srv/guild/tls",
        authority: {
          contact: "you@example.org",
          directory: "https://acme-v02.api.letsencrypt.org/directory",
        },
      },
    },
    httpPort: 80,
  });
  expect(readConfig({ ...ORIGIN, ...ACME, GUILDHALL_HTTP_PORT: "0" }).tls?.httpPort).toBe(0);
});

test("refuses contradicting settings in one line that says what to do", () => {
  const wrong: [Record<string, string>, RegExp][] = [
    [
      { ...ORIGIN, GUILDHALL_TLS_CERT: "/c.pem" },
      /TLS_CERT and GUILDHALL_TLS_KEY belong together\. Set both/,
    ],
    [{ ...ORIGIN, GUILDHALL_TLS_KEY: "/k.pem" }, /TLS_CERT and GUILDHALL_TLS_KEY belong together\. Set both/],
    [{ ...ORIGIN, ...FILES, ...ACME }, /both set the certificate\. Remove one of them/],
    [FILES, /public name\. Set GUILDHALL_ORIGIN/],
    [{ ...ACME, GUILDHALL_ORIGIN: "http://guild.example" }, /public name\. Set GUILDHALL_ORIGIN/],
    [
      { ...ACME, GUILDHALL_ORIGIN: "https://192.0.2.1" },
      /No certificate authority issues certificates for 192\.0\.2\.1\./,
    ],
    [
      { ...ACME, GUILDHALL_ORIGIN: "https://[2001:db8::1]" },
      /No certificate authority issues certificates for 2001:db8::1\./,
    ],
    [
      { ...ACME, GUILDHALL_ORIGIN: "https://localhost" },
      /No certificate authority issues certificates for localhost\./,
    ],
    [{ ...ORIGIN, GUILDHALL_HTTP_PORT: "80" }, /needs TLS\. Set /],
    [
      { ...ORIGIN, ...FILES, GUILDHALL_PORT: "443", GUILDHALL_HTTP_PORT: "443" },
      /is the same as GUILDHALL_PORT\. Choose another/,
    ],
  ];
  for (const [variables, says] of wrong) {
    let message = "";
    try {
      readConfig(variables);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toMatch(says);
    expect(message).not.toContain("\n");
  }
});
