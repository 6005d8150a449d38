import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY } from "../../../src/core/base/clock.ts";
import { openDatabase } from "../../../src/core/base/db/open.ts";
import { setSetting } from "../../../src/core/base/db/settings.ts";
import { openNetwork, type ShownCertificate } from "../../../src/operate/doctor/network.ts";
import { databaseFile } from "../../../src/app/data-folder.ts";
import { authority } from "../../delivery/receiver.ts";
import { openTestServer } from "../../support.ts";
import { finding, openFixture, servedFixture } from "./support.ts";

/** docs/contract.md#12.11 */

const ORIGIN = "https://guild.example";
const WELL = { text: '{"status":"ok","version":"0.2.0"}' };
const keys = (...ids: string[]) => ({ text: JSON.stringify({ keys: ids.map((kid) => ({ kid })) }) });

test("warns about a missing origin on a public server, and about plain http, with the setting to change", async () => {
  for (const [variables, says, mend] of [
    [{ GUILDHALL_HOST: "0.0.0.0" }, /every address \(0\.0\.0\.0\)/, /^GUILDHALL_ORIGIN=https/],
    [{ GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" }, /links do not lead to the proxy/, /^GUILDHALL_ORIGIN=https/],
    [
      { GUILDHALL_ORIGIN: "http://guild.example" },
      /uses plain HTTP/,
      /^Set GUILDHALL_ORIGIN=https:\/\/guild\.example, and set up TLS/,
    ],
  ] as const) {
    using fixture = openFixture(variables);
    expect(await fixture.look("origin")).toEqual([finding("origin", "warning", says, mend)]);
  }
  using alone = openFixture({ GUILDHALL_ORIGIN: "http://localhost:8787" });
  expect(await alone.look("origin")).toEqual([]);
});

test("distinguishes an origin that leads here, nowhere, to another community or to another program", async () => {
  using fixture = servedFixture({ GUILDHALL_ORIGIN: ORIGIN });
  const own = { "/.well-known/jwks.json": keys("a", "b") };
  const reached = (theirs: Parameters<typeof fixture.look>[1]) =>
    fixture.look("origin_reached", { ...own, ...theirs });
  expect(
    await reached({ [`${ORIGIN}/healthz`]: WELL, [`${ORIGIN}/.well-known/jwks.json`]: keys("b", "c") }),
  ).toEqual([finding("origin_reached", "ok", /leads to this community's server/)]);
  expect(await reached({})).toEqual([
    finding("origin_reached", "warning", /This machine cannot reach .*: nobody is there/, /DNS/),
  ]);
  expect(
    await reached({ [`${ORIGIN}/healthz`]: WELL, [`${ORIGIN}/.well-known/jwks.json`]: keys("x") }),
  ).toEqual([finding("origin_reached", "severe", /another community's server/, /to http:\/\/127/)]);
  expect(await reached({ [`${ORIGIN}/healthz`]: { text: "<html>Welcome to nginx" } })).toEqual([
    finding(
      "origin_reached",
      "severe",
      /does not lead to a Guildhall: \/healthz answers with status 200/,
      /to http:\/\/127/,
    ),
  ]);
});

test("public /metrics through the proxy is severe, a missing token is a note, and a token passes", async () => {
  using fixture = servedFixture({ GUILDHALL_ORIGIN: ORIGIN });
  const fix = /^GUILDHALL_METRICS_TOKEN=/;
  const open = { [`${ORIGIN}/metrics`]: { text: "guildhall_http_requests_total 5" } };
  expect(await fixture.look("metrics", open)).toEqual([
    finding("metrics", "severe", /^Anyone can read/, fix),
  ]);
  expect(await fixture.look("metrics", { [`${ORIGIN}/metrics`]: { status: 404 } })).toEqual([
    finding("metrics", "note", /has no token/, fix),
  ]);
  using guarded = servedFixture({ GUILDHALL_ORIGIN: ORIGIN, GUILDHALL_METRICS_TOKEN: "secret" });
  expect(await guarded.look("metrics", open)).toEqual([finding("metrics", "ok", /requires its token/)]);
});

test("detects an untrusted proxy by the origin and by most requests, and trust in every address is severe", async () => {
  const fix = /^GUILDHALL_TRUSTED_PROXIES=/;
  using fixture = servedFixture({ GUILDHALL_ORIGIN: ORIGIN });
  expect(await fixture.look("trusted_proxies", {})).toEqual([
    finding("trusted_proxies", "warning", /there must be a proxy\. None is trusted/, fix),
  ]);
  using plain = servedFixture();
  const counted = (forwarded: number) => ({
    "/metrics": {
      text: `guildhall_http_forwarded_unbelieved_total ${forwarded}\nguildhall_http_requests_total{a="b"} 50\n`,
    },
  });
  expect(await plain.look("trusted_proxies", counted(5))).toEqual([]);
  expect(await plain.look("trusted_proxies", counted(40))).toEqual([
    finding("trusted_proxies", "warning", /^40 of 50 requests had an X-Forwarded-For/, fix),
  ]);
  using good = servedFixture({ GUILDHALL_ORIGIN: ORIGIN, GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" });
  expect(await good.look("trusted_proxies", {})).toEqual([
    finding("trusted_proxies", "ok", /tell the visitors behind the proxy apart/),
  ]);
  using all = openFixture({ GUILDHALL_ORIGIN: ORIGIN, GUILDHALL_TRUSTED_PROXIES: "0.0.0.0/0" });
  expect(await all.look("trusted_proxies")).toContainEqual(
    finding("trusted_proxies", "severe", /Every address is a trusted proxy/, /proxy's own address/),
  );
});

test("the server counts requests that an untrusted proxy forwarded", async () => {
  await using server = await openTestServer();
  const counted = async () =>
    /^guildhall_http_forwarded_unbelieved_total (\d+)$/m.exec(
      await (await fetch(`${server.url}/metrics`)).text(),
    )?.[1];
  expect(await counted()).toBe("0");
  await fetch(`${server.url}/healthz`, { headers: { "x-forwarded-for": "203.0.113.7" } });
  expect(await counted()).toBe("1");
});

test("reports settings that differ from the server's", async () => {
  using fixture = openFixture({ GUILDHALL_ORIGIN: ORIGIN });
  const db = openDatabase(databaseFile(fixture.config), { busyMs: 0 });
  db.transact(() => setSetting({ db }, "origin", "https://other.example"));
  expect(await fixture.look("settings")).toEqual([
    finding(
      "settings",
      "note",
      /last ran with the origin https:\/\/other\.example, .* say https:\/\/guild/,
      /--settings/,
    ),
  ]);
  db.transact(() => setSetting({ db }, "origin", ORIGIN));
  db.close();
  expect(await fixture.look("settings")).toEqual([]);
});

test("reports a certificate at the origin that is valid, expiring, expired, for another name or untrusted", async () => {
  using fixture = servedFixture({ GUILDHALL_ORIGIN: ORIGIN });
  const { issue } = await authority();
  const { cert } = await issue(["guild.example"]);
  const { cert: others } = await issue(["other.example"]);
  const look = (shown: ShownCertificate, inMs = 0) =>
    fixture.look("certificate", {}, { shown, now: () => Date.now() + inMs });
  const trusted = { pem: cert, untrusted: undefined };
  const fix = /^Check the proxy/;
  expect(await look(trusted)).toEqual([
    finding("certificate", "ok", /guild\.example is valid for 36\d days\.$/),
  ]);
  expect(await look(trusted, 360 * DAY)).toEqual([
    finding("certificate", "warning", /is valid for \d days\.$/, fix),
  ]);
  expect(await look({ pem: cert, untrusted: "CERT_HAS_EXPIRED" }, 400 * DAY)).toEqual([
    finding("certificate", "severe", /guild\.example expired on 2\d{3}-/, fix),
  ]);
  expect(await look({ pem: others, untrusted: undefined })).toEqual([
    finding("certificate", "severe", /is for other\.example, but the origin's name is guild\.example/, fix),
  ]);
  expect(await look({ pem: cert, untrusted: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" })).toEqual([
    finding("certificate", "warning", /is not trusted by this machine .*UNABLE_TO/, fix),
  ]);
});

test("certificate files that are expired or unreadable are severe, also without a running server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-doctor-tls-"));
  try {
    const { cert, key } = await (await authority()).issue(["guild.example"]);
    const paths = [join(folder, "cert.pem"), join(folder, "key.pem")] as const;
    writeFileSync(paths[0], cert);
    writeFileSync(paths[1], key, { mode: 0o600 });
    chmodSync(folder, 0o700);
    using fixture = openFixture({
      GUILDHALL_ORIGIN: ORIGIN,
      GUILDHALL_TLS_CERT: paths[0],
      GUILDHALL_TLS_KEY: paths[1],
    });
    expect(await fixture.look("certificate_files")).toEqual([
      finding("certificate_files", "ok", /cert\.pem is valid for/),
    ]);
    expect(await fixture.look("certificate_files", { now: () => Date.now() + 400 * DAY })).toEqual([
      finding("certificate_files", "severe", /expired/, /certbot renew/),
    ]);
    rmSync(paths[1]);
    expect(await fixture.look("certificate_files")).toEqual([
      finding("certificate_files", "severe", /file .*key\.pem does not exist/, /certbot renew/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the network client returns status and date, returns any certificate, and reports an unreachable host", async () => {
  const { cert, key } = await (await authority()).issue(["guild.example"]);
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: () => new Response("x".repeat(2_000_000)),
  });
  const network = openNetwork();
  const url = `https://127.0.0.1:${server.port}`;
  expect(await network.get(`${url}/strict`)).toEqual({
    code: expect.any(String),
    reason: expect.any(String),
  });
  const answer = await network.get(`${url}/x`, { isVerified: false });
  expect(answer).toMatchObject({ status: 200, date: expect.any(Number) });
  // Only the beginning of a long response is kept.
  expect("text" in answer && answer.text.length < 1_000_000).toBe(true);
  const shown = await network.certificate("127.0.0.1", server.port ?? 0);
  expect(shown?.pem.replaceAll(/\s/g, "")).toBe(cert.replaceAll(/\s/g, ""));
  expect(shown?.untrusted).toMatch(/^[A-Z_]+$/);
  expect(await network.certificate("127.0.0.1", 1)).toBeUndefined();
  expect(await network.get("http://127.0.0.1:1/")).toMatchObject({ reason: "connection refused" });
  expect([true, false, undefined]).toContain(await network.isSynchronised());
});
