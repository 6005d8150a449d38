import { expect, test } from "bun:test";
import { Glob } from "bun";
import { isAppSecret, registerApp } from "../../src/core/delegation/apps/apps.ts";
import { makeDevice, readDevice } from "../../src/core/identity/accounts/devices.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createTestWorld, createMember } from "../support.ts";
import { TOKEN_PATTERN } from "../../src/core/delegation/tokens/token-format.ts";

/** Finds comparisons of a value named like a secret that are not constant-time. */
const SECRET = String.raw`\w*(?:secret|password|signature|token|hash|digest|hmac)`;
const COMPARED = new RegExp(
  String.raw`\b${SECRET}\)?\s*[!=]==?|[!=]==?\s*(?:\w+\??\.)*${SECRET}\b|\.equals\(`,
  "i",
);
/** Comparisons with a null, a literal or a length reveal nothing. */
const PLAIN = /[!=]==?\s*(?:null|undefined|\d|"[^"]*")|"[^"]*"\s*[!=]==?|\blength\b/;

/** Allowed comparisons: they compare no secret, or nothing that a client sent. */
const ALLOWED = [
  'return Buffer.from(signature, "base64url").toString("base64url") === signature;',
  "return known.map((hash) => hash !== UNMATCHABLE_HASH && timingSafeEqual(hash, sent)).includes(true);",
  "if (!earlier.fingerprint.equals(fingerprintOf(request))) {",
  'if (sha256(query) !== hash) throw refuse("document_mismatch");',
  "if (findPasswordHash(core, account.builderId) !== hash) throw wrongPassword();",
  'if (findPasswordHash(core, builderId) !== hash) throw refuse("sign_in_wrong");',
  "if (!digest || (before && digestOf(before)?.equals(digest))) return false;",
  "if (!endFrame(hash.digest()).equals(pending))",
  "if (begun && begun.export !== digest)",
  "return { presentRows, missing, isFromThisExport: importMark(core)?.export === digest };",
  "const others = latestOfEach(sent.filter((one) => !one.mark.equals(mark)));",
  "return found.isFile() && readFileSync(file).equals(bytes);",
];

test("no source file compares a secret in variable time", async () => {
  const found: string[] = [];
  for (const file of new Glob("src/**/*.{ts,tsx}").scanSync(".")) {
    const lines = (await Bun.file(file).text()).split("\n").map((line) => line.trim());
    found.push(...lines.filter((line) => COMPARED.test(line) && !PLAIN.test(line)));
  }
  expect(found.sort()).toEqual(ALLOWED.toSorted());
  for (const wrong of ["if (secret === sent) {", "return sent == row.tokenHash;", "a.equals(b)"])
    expect([wrong, COMPARED.test(wrong) && !PLAIN.test(wrong)]).toEqual([wrong, true]);
});

test("a secret of another length is refused without an exception", () => {
  using world = createTestWorld();
  const { core } = world;
  const { builderId = null, workspaceId = null } = createMember(core, "ada").caller;
  if (builderId === null || workspaceId === null) throw new Error("nobody moved in");
  const { app, secret } = registerApp(core, OPERATOR, workspaceId, {
    kind: "confidential",
    name: "Digest",
    redirectUris: ["https://app.example/callback"],
    scopes: ["feed:read"],
    idTokenAlg: "EdDSA",
  });
  const mark = makeDevice(core, builderId);
  const right = [secret ?? "", mark];
  for (let length = 0; length <= 200; length++) {
    for (const text of right.map((each) => each.padEnd(length, "A").slice(0, length))) {
      if (right.includes(text)) continue;
      expect([length, isAppSecret(core, app.id, text)]).toEqual([length, false]);
      expect([length, readDevice(core, builderId, text)]).toEqual([length, undefined]);
    }
  }
  expect(isAppSecret(core, app.id, secret ?? "")).toBe(true);
  expect(readDevice(core, builderId, mark)).toBeString();
});

test("no source file or document contains a text that looks like a token", async () => {
  const locations = ["*.md", "docs/**/*.md", "src/**/*.ts", "src/**/*.tsx", "data/seed/*.json"];
  const files = locations.flatMap((location) => [...new Glob(location).scanSync(".")]);
  expect(files.length).toBeGreaterThan(100);
  for (const file of files)
    expect([file, TOKEN_PATTERN.exec(await Bun.file(file).text())?.[0]]).toEqual([file, undefined]);
});
