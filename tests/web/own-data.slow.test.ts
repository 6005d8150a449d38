// docs/contract.md#12.6: an export contains all data of the member and nothing else.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { MINUTE } from "../../src/core/base/clock.ts";
import { zipBody } from "../../src/http/zip.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { undoDeletion } from "../../src/core/services/deletion/pending.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createSignedInMember, PASSWORD as CORE_PASSWORD } from "../core/people.ts";
import { createLinkedCommunity } from "../core/linked-community.ts";
import { signedInNow } from "../support.ts";
import { openSite, signedInAs, tokenOf, visit, type Site } from "./support.ts";

const PAGE_PATH = "/settings/account";

type Lines = Record<string, Record<string, unknown>[]>;

async function download(site: Site, username: string): Promise<{ answer: Response; bytes: Uint8Array }> {
  const visitor = signedInAs(site, username);
  const form_token = tokenOf(await visitor.open(PAGE_PATH));
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${site.url}${PAGE_PATH}/download`, {
    method: "POST",
    headers: {
      cookie,
      origin: new URL(site.core.origin).origin,
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": visitor.address,
    },
    body: new URLSearchParams({ form_token }),
  });
  return { answer, bytes: await answer.bytes() };
}

function linesOf(files: Record<string, Uint8Array>): Lines {
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name.endsWith(".ndjson"))
      .map(([name, bytes]) => [
        name.split("/")[1]?.replace(".ndjson", "") ?? "",
        strFromU8(bytes)
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      ]),
  );
}

test("a member downloads all their data as a standard ZIP file, with an entry in the audit log", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, bob } = await createLinkedCommunity(core);
  const cy = await createSignedInMember(core, "cy");
  sendMessage(core, cy.caller, { to: "bob", text: "Not for ada: quokka" });
  const token = createToken(core, OPERATOR, "ada", {
    name: "digest",
    scopes: ["feed:read"],
    tier: "personal",
  }).token;
  const link = makeRecovery(core, OPERATOR, "ada").url;
  const { answer, bytes } = await download(site, "ada");
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": 'attachment; filename="guildhall-ada-2026-11-20.zip"',
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
  const folder = mkdtempSync(join(tmpdir(), "guildhall-own-"));
  writeFileSync(join(folder, "a.zip"), bytes);
  if (Bun.which("unzip"))
    expect(Bun.spawnSync(["unzip", "-tq", "a.zip"], { cwd: folder }).stdout.toString()).toContain(
      "No errors",
    );
  rmSync(folder, { recursive: true });

  const files = unzipSync(bytes);
  expect(strFromU8(files["guildhall-ada-2026-11-20/README.txt"] ?? new Uint8Array())).toStartWith(
    "Data of @ada from ",
  );
  const lines = linesOf(files);
  expect(lines["builders"]).toMatchObject([{ username: "ada", name: "Ada Zebra", bio: "zebra" }]);
  for (const each of [
    "posts",
    "prompts",
    "jobs",
    "projects",
    "likes",
    "messages",
    "threads",
    "xp_entries",
    "webhook_endpoints",
    "apps",
    "grants",
    "job_filters",
    "workspaces",
    "blocks",
    "reports",
    "audit_entries",
  ])
    expect([each, lines[each]?.length]).toEqual([each, expect.any(Number)]);
  expect(lines["posts"]?.map(({ author_id }) => author_id)).not.toContain(bob.builderId);
  expect(lines["posts"]?.length).toBeGreaterThan(0);
  expect(lines["messages"]?.length).toBeGreaterThan(0);
  expect(lines["webhook_endpoints"]?.length).toBeGreaterThan(0);
  expect(lines["tokens"]?.map(({ name }) => name)).toContain("digest");
  // The export contains no private data of other members and no secret.
  const all = Object.values(files)
    .map((file) => strFromU8(file))
    .join("\n");
  const db = core.db;
  const secrets = [
    "quokka",
    cy.caller.builderId,
    token,
    ada.secret,
    new URL(link).searchParams.get("token") ?? "",
    CORE_PASSWORD,
    ...db
      .prepare<{ hash: string }>("SELECT hash FROM passwords")
      .all()
      .map(({ hash }) => hash),
    ...["tokens", "sessions", "links"].flatMap((table) =>
      db
        .prepare<{ hash: Buffer }>(`SELECT hash FROM ${table}`)
        .all()
        .flatMap(({ hash }) => [hash.toString("hex"), hash.toString("base64"), hash.toString("base64url")]),
    ),
    "whsec_",
    "guild_pat_",
  ];
  for (const secret of secrets) expect([secret, all.includes(secret)]).toEqual([secret, false]);
  const activity = await signedInAs(site, "ada").open("/settings/activity");
  expect(activity.html).toContain("Downloaded a copy of their data");
});

test("a download omits conversations with a member whose account awaits deletion, until the deletion is undone", async () => {
  await using site = openSite();
  const { core } = site;
  const { root } = await createLinkedCommunity(core);
  const counts = async (): Promise<(number | undefined)[]> => {
    const { bytes } = await download(site, "bob");
    const lines = linesOf(unzipSync(bytes));
    return ["threads", "messages", "thread_members"].map((each) => lines[each]?.length);
  };
  expect(await counts()).toEqual([1, 2, 1]);
  deleteAccount(core, signedInNow(core, root.caller), "ada", "ada");
  expect(await counts()).toEqual([0, 0, 0]);
  undoDeletion(core, OPERATOR, "ada");
  expect(await counts()).toEqual([1, 2, 1]);
});

test("a download requires a recent sign-in and a form token, and is limited to three an hour", async () => {
  await using site = openSite();
  const { core, clock } = site;
  await createSignedInMember(core, "ada");
  for (let i = 0; i < 3; i++) expect((await download(site, "ada")).answer.status).toBe(200);
  const fourth = await download(site, "ada");
  expect(fourth.answer.status).toBe(429);
  expect(Number(fourth.answer.headers.get("retry-after"))).toBeGreaterThan(60);
  expect(new TextDecoder().decode(fourth.bytes)).toContain("Too many attempts");
  clock.pass(21 * MINUTE);
  expect((await download(site, "ada")).answer.status).toBe(200);
  const late = signedInAs(site, "ada");
  const page = await late.open(PAGE_PATH);
  clock.pass(11 * MINUTE);
  const confirmation = await late.submit(page, `${PAGE_PATH}/download`);
  expect(confirmation.html).toContain("Confirm it’s you");
  expect((await late.post(`${PAGE_PATH}/download`, { form_token: "none" })).status).toBe(403);
  const guest = visit(site);
  expect((await guest.post(`${PAGE_PATH}/download`, {})).headers.get("content-type")).toContain("text/html");
});

test("packs an archive while streaming, and a truncated archive says where it ends", async () => {
  let read = 0;
  function* endless(): Generator<string> {
    for (;;) {
      read++;
      yield `${"a line of some length ".repeat(50)}${Math.random()}\n`;
    }
  }
  const incomplete = { name: "INCOMPLETE.txt", text: ["ended"] };
  const files = () => [
    { name: "a.ndjson", text: endless() },
    { name: "b.ndjson", text: ["never"] },
  ];
  const body = zipBody(files(), {
    at: Date.parse("2026-11-20T12:00:00Z"),
    most: 5_000_000,
    extraFile: incomplete,
  });
  const unpacked = unzipSync(await new Response(body).bytes());
  expect(Object.keys(unpacked)).toEqual(["a.ndjson", "INCOMPLETE.txt"]);
  expect(unpacked["a.ndjson"]?.length).toBeLessThanOrEqual(5_000_000);
  read = 0;
  const reader = zipBody(files(), {
    at: Date.parse("2026-11-20T12:00:00Z"),
    most: Infinity,
    extraFile: incomplete,
  }).getReader();
  await reader.read();
  await reader.read();
  // The stream buffers one piece for the next read.
  await Bun.sleep(5);
  const before = read;
  await Bun.sleep(5);
  expect(read).toBe(before);
  await reader.cancel();
  expect(read).toBeLessThan(5000);
});
