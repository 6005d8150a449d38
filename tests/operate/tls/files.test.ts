// docs/contract.md#12.2: certificates in files.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { Certificate } from "../../../src/http/server.ts";
import { TlsRefused } from "../../../src/operate/tls/certificate.ts";
import { renewFromFiles, readCertificate } from "../../../src/operate/tls/files.ts";
import { createAuthority, selfSigned } from "../../delivery/authority.ts";
import { fakeClock } from "../../support.ts";

const DAY = 86_400_000;
const HOST = "guild.example";
const authority = await createAuthority();
const good = await authority.issue([HOST]);
const folder = mkdtempSync(join(tmpdir(), "guildhall-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };

function write({ cert, key }: Certificate): void {
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
}

function textOf(certificate: Certificate, host = HOST, now = Date.now()): string {
  write(certificate);
  try {
    readCertificate(files, host, now);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(TlsRefused);
    return (error as Error).message;
  }
}

test("refuses at the start a certificate that browsers would reject, with a message", async () => {
  const other = await authority.issue([HOST]);
  const wrong: [Certificate, RegExp][] = [
    [{ cert: "nothing", key: good.key }, /has no certificate in PEM format/],
    [{ cert: good.cert, key: "nothing" }, /has no unencrypted private key in PEM format/],
    [{ cert: good.cert, key: other.key }, /the key does not belong to the certificate/],
    [
      await authority.issue(["a.example", "b.example"]),
      /is for a\.example, b\.example, but the origin's name is guild\.example/,
    ],
    [await authority.issue([HOST], { expired: true }), /expired on 20\d\d-/],
    [
      await authority.issue([HOST], { early: true }),
      /valid only from 20\d\d-.* or this machine's clock is wrong/,
    ],
  ];
  for (const [certificate, says] of wrong) {
    const text = textOf(certificate);
    expect(text).toMatch(says);
    expect(text).not.toContain("\n");
  }
  expect(textOf(good)).toBe("");
  expect(textOf(await authority.issue(["*.guild.example"]), "a.guild.example")).toBe("");
  expect(textOf(await authority.issue(["127.0.0.1"]), "127.0.0.1")).toBe("");
  expect(textOf(await selfSigned([HOST]))).toBe("");
  for (const missing of ["cert", "key"] as const)
    expect(() => readCertificate({ ...files, [missing]: join(folder, "none") }, HOST, Date.now())).toThrow(
      new RegExp(`file \\S+none does not exist\\. Put it there, .* GUILDHALL_TLS_${missing.toUpperCase()}`),
    );
});

function keeping(first: Certificate, from = Date.now()) {
  write(first);
  const clock = fakeClock(from);
  const logged: { level: number; msg: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const shown: Certificate[] = [];
  const kept = renewFromFiles(files, first, {
    host: HOST,
    clock,
    log,
    useCertificate: (certificate) => void shown.push(certificate),
  });
  return { kept, clock, shown, logged };
}

test("serves a renewed certificate file, and logs it once", async () => {
  const { kept, shown, logged } = keeping(good);
  await kept.renewIfDue();
  expect(shown).toEqual([]);
  const next = await authority.issue([HOST]);
  write(next);
  await kept.renewIfDue();
  await kept.renewIfDue();
  expect(shown).toEqual([next]);
  expect(kept.shown()).toEqual(next);
  expect(logged.map(({ msg }) => msg)).toEqual(["new certificate loaded"]);
});

test("reports files that are half renewed or missing once, and keeps serving the last certificate", async () => {
  const { kept, shown, logged } = keeping(good);
  const next = await authority.issue([HOST]);
  writeFileSync(files.cert, next.cert);
  await kept.renewIfDue();
  await kept.renewIfDue();
  rmSync(files.key);
  await kept.renewIfDue();
  expect(shown).toEqual([]);
  expect(kept.shown()).toEqual(good);
  expect(logged.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("the key does not belong to the certificate"),
    expect.stringContaining("The key file "),
  ]);
  write(next);
  await kept.renewIfDue();
  expect(shown).toEqual([next]);
});

test("warns about an unrenewed certificate a week before its end, then once a day", async () => {
  const from = Date.parse("2026-11-20T12:00:00Z");
  const certificate = await authority.issue([HOST], { from, until: from + 90 * DAY });
  const { kept, clock, logged, shown } = keeping(certificate, from);
  const passed = async (days: number): Promise<string[]> => {
    clock.pass(days * DAY);
    await kept.renewIfDue();
    await kept.renewIfDue();
    return logged.splice(0).map(({ msg }) => msg);
  };
  expect(await passed(82)).toEqual([]);
  expect(await passed(2)).toEqual(["certificate expires soon and was not renewed"]);
  expect(await passed(1)).toEqual(["certificate expires soon and was not renewed"]);
  expect(await passed(6)).toEqual([
    "certificate files cannot be used, the previous certificate stays",
    "certificate has expired, browsers refuse this site",
  ]);
  expect(shown).toEqual([]);
});
