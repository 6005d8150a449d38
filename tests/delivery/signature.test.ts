// docs/contract.md#V5.8, docs/contract.md#V6.4, docs/contract.md#V6.5, docs/contract.md#6.17 and
// docs/contract.md#6.18: webhook signatures.
import { expect, test } from "bun:test";
import { createHmac, timingSafeEqual } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "../../src/delivery/signature.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const now = (): number => Math.floor(Date.now() / 1000);
const sign = (body: string, seconds = now(), secrets = [SECRET]) =>
  signatureHeaders({ eventId: "evt_1", seconds, body, secrets });

/** Verifies a signature as docs/contract.md#V6.5 describes. */
function verifies(header: string, body: string, secret: string): boolean {
  const parts = header.split(",").map((part) => part.split("=", 2) as [string, string]);
  const seconds = Number(parts.find(([name]) => name === "t")?.[1]);
  if (Math.abs(now() - seconds) > 300) return false;
  const wanted = createHmac("sha256", secret).update(body).digest();
  return parts
    .filter(([name]) => name === "v1")
    .some(([, hex]) => timingSafeEqual(Buffer.from(hex, "hex"), wanted));
}

test("X-Service-Signature is t=<unix_timestamp>,v1=<hex_hmac> over the raw body", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (body) => {
      const header = sign(body)["x-service-signature"] ?? "";
      return (
        /^t=\d+,v1=[0-9a-f]{64}$/.test(header) &&
        verifies(header, body, SECRET) &&
        !verifies(header, `${body} `, SECRET)
      );
    }),
  );
});

test("rejects a wrong secret, a tampered body and an old timestamp", () => {
  const header = sign("{}")["x-service-signature"] ?? "";
  expect(verifies(header, "{}", OLD)).toBe(false);
  expect(verifies(header, "{ }", SECRET)).toBe(false);
  expect(verifies(sign("{}", now() - 301)["x-service-signature"] ?? "", "{}", SECRET)).toBe(false);
});

test("any Standard Webhooks library verifies the same request", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body = JSON.stringify(value);
      new Webhook(SECRET).verify(body, sign(body));
      expect(() => new Webhook(OLD).verify(body, sign(body))).toThrow();
      expect(() => new Webhook(SECRET).verify(`${body} `, sign(body))).toThrow();
      expect(() => new Webhook(SECRET).verify(body, sign(body, now() - 600))).toThrow();
      expect(() => new Webhook(SECRET).verify(body, { ...sign(body), "webhook-id": "evt_2" })).toThrow();
    }),
    { numRuns: 50 },
  );
});

test("both secrets verify during a rotation", () => {
  const headers = sign("{}", now(), [SECRET, OLD]);
  for (const secret of [SECRET, OLD]) {
    expect(verifies(headers["x-service-signature"] ?? "", "{}", secret)).toBe(true);
    new Webhook(secret).verify("{}", headers);
  }
});
