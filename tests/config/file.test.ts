// docs/contract.md#12.3: the settings file.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { effectiveSettings } from "../../src/config/read.ts";
import { asToml } from "../../src/config/show.ts";

function fileOf(text: string, mode = 0o600): { path: string; folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-settings-"));
  const path = join(folder, "settings.toml");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return { path, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return "";
}

test("flags override the environment, the environment the file, and the file the defaults", () => {
  using file = fileOf('# ours\nport = 1\nhost = "10.0.0.1"\nsignup = "open"\nretention = "7d"\n');
  const variables = { GUILDHALL_SETTINGS: file.path, GUILDHALL_PORT: "2", GUILDHALL_HOST: "10.0.0.2" };
  const config = readConfig(variables, { port: "3" });
  expect(config).toMatchObject({ port: 3, host: "10.0.0.2", signup: "open", retentionMs: 7 * 86_400_000 });
  expect(config).toMatchObject({ logLevel: "info", settingsFile: { path: file.path } });
  // `--settings` names another file.
  using other = fileOf('signup = "closed"\n');
  expect(readConfig(variables, { settings: other.path })).toMatchObject({ port: 2, signup: "closed" });
});

test("reads lists, numbers and booleans of TOML, resolves paths against the file's folder, and ignores empty values", () => {
  using file = fileOf(
    [
      'trusted_proxies = ["10.0.0.1", "192.168.0.0/16"]',
      'cors_origins = "https://a.example, https://b.example"',
      "graphql_documents_only = false",
      'data = "guild"',
      'key_file = "../key"',
      'metrics_token = ""',
    ].join("\n"),
  );
  const config = readConfig({ GUILDHALL_SETTINGS: file.path });
  expect(config.trustedProxies).toHaveLength(2);
  expect(config.corsOrigins).toEqual(["https://a.example", "https://b.example"]);
  expect(config).toMatchObject({
    data: join(file.folder, "guild"),
    keyFile: join(file.folder, "../key"),
    metricsToken: undefined,
  });
});

test("reports a mistake in one line with file, line and fix, and reads nothing else of the file", () => {
  const wrong: [text: string, says: RegExp][] = [
    ["port = 1\nhost = \n", /settings\.toml line 2 is not valid TOML: /],
    ['port = 1\nhost = "x\n', /settings\.toml line 2 is not valid TOML: /],
    ["port = 1\nport = 2\n", /settings\.toml line 2 is not valid TOML: /],
    ["port = 1\nhost = 'a' b = 2", /settings\.toml line 2 is not valid TOML: /],
    ["\nport = 99999", /^port in \S+ line 2 is "99999", which is not valid\. Write it like 8787/],
    ["\n\nsignup = 'yes'", /^signup in \S+ line 3 is "yes", .* Use open, invite or closed/],
    ["\nsignups = 'open'", /^signups in \S+ line 2 is not a setting\. The nearest is signup\./],
    [
      "GUILDHALL_SIGNUP = 'open'",
      /^GUILDHALL_SIGNUP in \S+ line 1 is not a setting\. The nearest is signup\./,
    ],
    ["\n[server]\nport = 1", /^server in \S+ line 2 is not a setting\. /],
    ["port = { number = 1 }", /^port in \S+ line 1 must be a number\. Write it like port = 8787/],
    ["port = true", /^port in \S+ line 1 must be a number\. Write it like port = 8787/],
    ["signup = 5", /^signup in \S+ line 1 must be a string\. Write it like signup = "open"/],
    [
      "cors_origins = [1]",
      /^cors_origins in \S+ line 1 must be a list of strings\. Write it like .*\["https:/,
    ],
    ["retention = 2020-01-01", /^retention in \S+ line 1 must be a string\. Write it like retention = "30d"/],
    [
      "graphql.introspection = 'off'",
      /^graphql in \S+ line 1 is not a setting\. The nearest is graphql_introspection\./,
    ],
    ["webhook_ca = 'no.pem'", /^webhook_ca in \S+ line 1 is "\/.*\/no\.pem", .*certificates/],
  ];
  for (const [text, says] of wrong) {
    using file = fileOf(text);
    const message = refusalOf(() => readConfig({ GUILDHALL_SETTINGS: file.path }));
    expect(`${text}: ${message}`).toMatch(new RegExp(says.source.replace("^", "")));
    expect(message).not.toContain("\n");
  }
  expect(refusalOf(() => readConfig({ GUILDHALL_SETTINGS: "/no/such.toml" }))).toMatch(
    /^There is no settings file \/no\/such\.toml\. /,
  );
});

test("reads the machine's own file unless another file or data folder is named", () => {
  using file = fileOf('data = "guild"\nport = 9000\n');
  const standard = file.path;
  const its = join(file.folder, "guild");
  mkdirSync(its);
  expect(readConfig({}, {}, standard)).toMatchObject({ data: its, port: 9000 });
  expect(readConfig({}, { data: `${its}/` }, standard)).toMatchObject({ port: 9000 });
  expect(readConfig({ GUILDHALL_DATA: its }, {}, standard)).toMatchObject({ port: 9000 });
  // The file is ignored for another data folder.
  const other = { port: 8787, settingsFile: undefined };
  expect(readConfig({}, { data: "/tmp/other" }, standard)).toMatchObject({ ...other, data: "/tmp/other" });
  expect(readConfig({ GUILDHALL_DATA: "data" }, {}, standard)).toMatchObject({ ...other, data: "data" });
  expect(readConfig({}, {}, join(file.folder, "none.toml"))).toMatchObject({ ...other, data: "./data" });
  // An unreadable file may belong to this community, so it is not skipped.
  rmSync(file.path);
  symlinkSync(file.path, file.path);
  expect(refusalOf(() => readConfig({}, { data: its }, standard))).toContain("cannot be read (ELOOP)");
  rmSync(file.path);
  writeFileSync(file.path, "port = 9000\n");
  expect(refusalOf(() => readConfig({}, {}, standard))).toContain("names no data folder. Add data =");
});

test("detects a world-readable file that holds a secret, and no other", () => {
  for (const [text, mode, isOpen] of [
    ['metrics_token = "x"', 0o644, true],
    ['metrics_token = "x"', 0o640, false],
    ["port = 1", 0o644, false],
  ] as const) {
    using file = fileOf(text, mode);
    expect(readConfig({ GUILDHALL_SETTINGS: file.path }).settingsFile?.isOpenToAll).toBe(isOpen);
  }
});

test("does not show secrets", () => {
  const shown = effectiveSettings({ GUILDHALL_METRICS_TOKEN: "hush", GUILDHALL_PORT: "1" }, {});
  expect(asToml(shown)).not.toContain("hush");
  expect(asToml(shown)).toContain("metrics_token is set, but not shown  # from GUILDHALL_METRICS_TOKEN");
});

test("`guildhall settings` prints a settings file with the same values", () => {
  const variables = {
    GUILDHALL_PORT: "9000",
    GUILDHALL_TRUSTED_PROXIES: "10.0.0.1,10.0.0.2",
    GUILDHALL_DATA: '/srv/a "guild"',
    GUILDHALL_GRAPHQL_DOCUMENTS_ONLY: "false",
  };
  const text = asToml(effectiveSettings(variables, { host: "10.0.0.9" }));
  expect(parse(text)).toEqual({
    host: "10.0.0.9",
    port: 9000,
    data: '/srv/a "guild"',
    trusted_proxies: ["10.0.0.1", "10.0.0.2"],
    graphql_documents_only: false,
  });
  expect(text).toContain("port = 9000  # from GUILDHALL_PORT");
  using file = fileOf(text);
  expect(readConfig({ GUILDHALL_SETTINGS: file.path })).toMatchObject({ port: 9000, host: "10.0.0.9" });
  for (const [, line = ""] of text.matchAll(/^# ([a-z_]+ = .*)$/gm)) {
    // Settings that others require: a certificate needs an origin, and a plain HTTP port needs TLS.
    const beside: Record<string, string> = {
      acme: 'origin = "https://guild.example"',
      smtp_url: 'mail_from = "guild@example.org"',
      mail_from: 'smtp_url = "smtp://mail.example"',
    };
    using each = fileOf(`${line}\n${beside[line.split(" ")[0] ?? ""] ?? ""}`);
    if (!/"\/|DATA|^http_port/.test(line))
      expect(refusalOf(() => readConfig({ GUILDHALL_SETTINGS: each.path }))).toBe("");
  }
});
