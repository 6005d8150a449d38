// docs/contract.md#12.2: certificates from an ACME authority. scripts/drills.ts uses a real one.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { type Certificate, listen } from "../../../src/http/server.ts";
import { faultOf } from "../../../src/operate/tls/certificate.ts";
import { renewFromAuthority, lastIssued, type RenewalParts } from "../../../src/operate/tls/renewal.ts";
import { createAuthority } from "../../delivery/authority.ts";
import { fakeClock } from "../../support.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const LIFE = 90 * DAY;
const HOST = "guild.example";
const FROM = Date.parse("2026-11-20T12:00:00Z");
const authority = await createAuthority();
const root = mkdtempSync(join(tmpdir(), "guildhall-tls-"));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const folderOf = (directory = "https://acme.example/directory") => ({
  path: join(root, String(folders), "tls"),
  authority: { contact: "ada@guild.example", directory, ca: undefined },
});

/** An authority that issues `given`, or fails with a message. */
async function renewing({ chance = 0, given }: { chance?: number; given?: Certificate } = {}) {
  folders++;
  const clock = fakeClock(FROM);
  const logged: { msg: string; reason?: string; again?: string }[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const shown: Certificate[] = [];
  const orders: number[] = [];
  let fault = "";
  let during = async (): Promise<void> => {};
  const parts: RenewalParts = {
    host: HOST,
    clock,
    log,
    useCertificate: (certificate) => void shown.push(certificate),
    random: { bytes: () => Uint8Array.of(chance) },
    async order(_authority, _key, host, offer) {
      orders.push(clock.now());
      const callOff = offer("token", "token.thumbprint");
      await during();
      callOff();
      if (fault !== "") throw new Error(fault);
      return authority.issue([host], { from: clock.now(), until: clock.now() + LIFE });
    },
  };
  const first = given ?? (await lastIssued(folderOf(), HOST, FROM));
  const kept = renewFromAuthority(folderOf(), first, parts);
  return {
    kept,
    clock,
    logged,
    shown,
    orders,
    fail: (text: string) => void (fault = text),
    while: (work: () => Promise<void>) => void (during = work),
    /** Checks every `everyMs` until `ms` have passed, as the program does. */
    async pass(ms: number, everyMs: number) {
      for (let at = 0; at < ms; at += everyMs) {
        clock.pass(everyMs);
        await kept.renewIfDue();
      }
    },
  };
}

test("orders a missing certificate at once, stores it in private files, and serves it after a restart", async () => {
  const { kept, shown, orders, logged } = await renewing();
  await kept.renewIfDue();
  await kept.renewIfDue();
  expect(orders).toEqual([FROM]);
  expect(shown).toEqual([kept.shown()]);
  expect(await lastIssued(folderOf(), HOST, FROM)).toEqual(kept.shown());
  const [inner = ""] = readdirSync(folderOf().path);
  const within = join(folderOf().path, inner);
  expect(readdirSync(within).sort()).toEqual(["account.pem", "guild.example.pem"]);
  expect(statSync(within).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(within)) expect(statSync(join(within, name)).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(logged)).not.toContain("PRIVATE");
  expect(await lastIssued(folderOf(), "other.example", FROM)).not.toEqual(kept.shown());
  expect(await lastIssued(folderOf("https://test.example/directory"), HOST, FROM)).not.toEqual(kept.shown());
  // A damaged certificate counts as missing: the server starts with the stand-in and orders a new
  // certificate.
  writeFileSync(
    join(within, "guild.example.pem"),
    readFileSync(join(within, "guild.example.pem")).subarray(0, 300),
  );
  const standIn = await lastIssued(folderOf(), HOST, FROM);
  expect(faultOf(standIn, HOST, FROM)).toContain("stand-in.invalid");
  const server = listen("127.0.0.1", 0, () => () => new Response("here"), { certificate: standIn });
  const answer = await fetch(server.url, { tls: { rejectUnauthorized: false } });
  expect(await answer.text()).toBe("here");
  await server.stop(0);
});

test("renews a certificate when a third of its lifetime is left, or randomly a little earlier", async () => {
  for (const [chance, days] of [
    [0, 60],
    [255, 57],
  ] as const) {
    const given = await authority.issue([HOST], { from: FROM, until: FROM + LIFE });
    const { orders, pass, shown } = await renewing({ chance, given });
    await pass(61 * DAY, DAY / 24);
    expect(orders).toHaveLength(1);
    expect(Math.round(((orders[0] ?? 0) - FROM) / DAY)).toBe(days);
    expect(shown).toHaveLength(1);
  }
});

test("reports a failure and retries with growing delays, while the current certificate is served", async () => {
  const given = await authority.issue([HOST], { from: FROM, until: FROM + LIFE });
  const { kept, orders, logged, fail, clock, pass, shown } = await renewing({ given });
  fail("the authority is away");
  clock.pass(60 * DAY);
  await kept.renewIfDue();
  await pass(30 * 60 * MINUTE, MINUTE);
  const waits = orders.slice(1).map((at, i) => (at - (orders[i] ?? 0)) / MINUTE);
  expect(waits).toEqual([1, 5, 15, 60, 240, 720, 720]);
  expect(logged.map(({ reason }) => reason)).toEqual(Array(8).fill("the authority is away"));
  expect([kept.shown(), shown]).toEqual([given, []]);
  // A manual check retries at once, because the operator may have fixed the cause.
  fail("");
  await kept.renewIfDue(true);
  expect(shown).toHaveLength(1);
  await kept.renewIfDue(true);
  expect(orders).toHaveLength(9);
});

test("retries at least hourly while browsers reject the current certificate", async () => {
  const { orders, fail, pass } = await renewing();
  fail("no such name");
  await pass(8 * 60 * MINUTE, MINUTE);
  const waits = orders.slice(1).map((at, i) => (at - (orders[i] ?? 0)) / MINUTE);
  expect(Math.max(...waits)).toBe(60);
});

test("answers a challenge only for its token and only while the challenge is open", async () => {
  const { kept, while: during } = await renewing();
  const said: unknown[] = [];
  during(async () => void said.push(kept.answer("token"), kept.answer("other"), kept.answer("__proto__")));
  expect(kept.answer("token")).toBeUndefined();
  await kept.renewIfDue();
  expect(said).toEqual(["token.thumbprint", undefined, undefined]);
  expect(kept.answer("token")).toBeUndefined();
});

test("checks during an order do not start a second order", async () => {
  const { kept, while: during, orders } = await renewing();
  const { promise, resolve } = Promise.withResolvers<void>();
  during(() => promise);
  const looks = [kept.renewIfDue(), kept.renewIfDue(true), kept.renewIfDue()];
  resolve();
  await Promise.all(looks);
  expect(orders).toHaveLength(1);
});
