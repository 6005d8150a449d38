// docs/contract.md#10.4: environment variables.
import { expect, test } from "bun:test";
import { ConfigError, readConfig } from "../src/config/config.ts";

test("every setting has a valid default", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 8787,
    data: "./data",
    signup: "invite",
    retryDelaysMs: [0, 30_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 54_000_000],
    webhookTimeoutMs: 10_000,
    retentionMs: 30 * 86_400_000,
    enterprise: { sustained: 60_000, burst: 120_000 },
    keyFile: "./data/guildhall.key",
    logLevel: "info",
    graphql: { introspection: true, documentsOnly: false },
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test("a flag overrides its variable", () => {
  const environment = { GUILDHALL_PORT: "1", GUILDHALL_HOST: "0.0.0.0", GUILDHALL_DATA: "/a" };
  expect(readConfig(environment, { port: "2", data: "/b" })).toMatchObject({
    port: 2,
    host: "0.0.0.0",
    data: "/b",
  });
});

const WRONG: Readonly<Record<string, readonly string[]>> = {
  GUILDHALL_HOST: ["a b", "http://x", "-x", "x/", "x_y"],
  GUILDHALL_NAME: ["x".repeat(41), "a\nb", "\u202ea"],
  GUILDHALL_PORT: ["x", "-1", "65536", "1.5", "0x50"],
  GUILDHALL_ORIGIN: ["guild.example", "ftp://x", "https://x/path", "https://x?y", "//x"],
  GUILDHALL_SIGNUP: ["yes", "Open", "none", "invited", "0"],
  GUILDHALL_TRUSTED_PROXIES: ["x", "10.0.0.0/33", "1.2.3", "10.0.0.1;10.0.0.2", "localhost"],
  GUILDHALL_CORS_ORIGINS: ["*", "app.example", "https://x/y", "null", ","],
  GUILDHALL_WEBHOOK_ALLOW: ["10.0.0.0/99", "a b", "https://x", "x/y", ","],
  GUILDHALL_RETRY_DELAYS: ["30", "0s,", "1w", "-5s", "1.5h"].map((text) => (text === "0s," ? "0s,x" : text)),
  GUILDHALL_WEBHOOK_TIMEOUT: ["0s", "10", "x", "-1s", "10 s", "601s", "25d"],
  GUILDHALL_RETENTION: ["0d", "30", "30 d", "1w", "-1d", "forever"],
  GUILDHALL_RETENTION_NOTIFICATIONS: ["23h", "3651d", "0d", "90", "forever"],
  GUILDHALL_RETENTION_AUDIT: ["6d", "3651d", "0d", "365", "forever"],
  GUILDHALL_RETENTION_SESSIONS: ["23h", "181d", "0s", "30", "never"],
  GUILDHALL_GRAPHQL_INTROSPECTION: ["true", "yes", "1", "ON", "none"],
  GUILDHALL_GRAPHQL_DOCUMENTS: ["/no/such/file", import.meta.path, "x", "/", "{}"],
  GUILDHALL_GRAPHQL_DOCUMENTS_ONLY: ["yes", "on", "1", "True", "only"],
  GUILDHALL_WEBHOOK_CA: ["/no/such/file", import.meta.path, "x", "/", "-----BEGIN CERTIFICATE-----"],
  GUILDHALL_RATE_ENTERPRISE: ["100", "0/100", "a/b", "100/0", "1/2/3"],
  GUILDHALL_ACME: ["yes", "true", "a@", "@b.example", "a b@c.example", "mailto:a@b.example"],
  GUILDHALL_ACME_DIRECTORY: ["letsencrypt", "http://acme.example/directory", "x", "ftp://x/y", "https://"],
  GUILDHALL_ACME_CA: ["/no/such/file", import.meta.path, "x", "/", "-----BEGIN CERTIFICATE-----"],
  GUILDHALL_HTTP_PORT: ["x", "-1", "65536", "1.5", "on"],
  GUILDHALL_LOG_ADDRESS: ["on", "yes", "Short", "/24", "none"],
  GUILDHALL_LOG_LEVEL: ["loud", "INFO", "1", "verbose", "warning"],
};

test("a wrong setting prints one line that names the setting and shows a valid value", () => {
  for (const [name, values] of Object.entries(WRONG)) {
    for (const value of values) {
      let message = "";
      try {
        readConfig({ [name]: value });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        message = (error as Error).message;
      }
      expect(`${name}=${value}: ${message}`).toContain(
        `${name} is ${JSON.stringify(value)}, which is not valid. `,
      );
      expect(message).not.toContain("\n");
      expect(message).toMatch(/ (?:Write it like|Use) .+\.$/);
    }
  }
});

test("refuses GUILDHALL_GRAPHQL_DOCUMENTS_ONLY without documents, as no query could run", () => {
  expect(() => readConfig({ GUILDHALL_GRAPHQL_DOCUMENTS_ONLY: "true" })).toThrow(
    "GUILDHALL_GRAPHQL_DOCUMENTS",
  );
});

test("refuses an unknown setting and suggests the nearest name, so that a typo leaves no transport open", () => {
  const typos: Record<string, string> = {
    GUILDHALL_SIGNUPS: "GUILDHALL_SIGNUP",
    GUILDHALL_METRIC_TOKEN: "GUILDHALL_METRICS_TOKEN",
    GUILDHALL_TRUSTED_PROXY: "GUILDHALL_TRUSTED_PROXIES",
    GUILDHALL_GRAPHQL_INTROSPECTOIN: "GUILDHALL_GRAPHQL_INTROSPECTION",
    guildhall_signup: "GUILDHALL_SIGNUP",
    GUILD_HALL_ORIGIN: "GUILDHALL_ORIGIN",
    GUILDHAL_KEY_FILE: "GUILDHALL_KEY_FILE",
  };
  for (const [typo, nearest] of Object.entries(typos)) {
    expect(() => readConfig({ [typo]: "x" })).toThrow(
      `${typo} is not a setting. The nearest is ${nearest}. Correct or remove it.`,
    );
  }
  // An empty variable counts as not set, and variables of other programs are ignored.
  expect(() =>
    readConfig({ GUILDHALL_SIGNUPS: "", GUILD: "x", HALL_X: "x", XGUILDHALL_PORT: "x" }),
  ).not.toThrow();
});
