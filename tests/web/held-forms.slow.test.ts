import { connect } from "node:net";
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  createAccountOf,
  contentsOf,
  openSite,
  signUpMember,
  type Site,
  tokenOf,
  type Visitor,
} from "./support.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const LETTER = 1;

/** Sends a form without its last byte, runs a callback, then sends that byte. Returns the response status. */
async function holdForm(
  site: Site,
  visitor: Visitor,
  path: string,
  fields: Record<string, string>,
  meanwhile: () => void,
): Promise<number> {
  const body = new URLSearchParams(fields).toString();
  const socket = connect(Number(new URL(site.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  const closed = new Promise<void>((done) => socket.on("close", () => done()));
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(site.core.origin).host}`,
      `Origin: ${site.core.origin}`,
      `Cookie: ${[...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ")}`,
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${body.length}`,
      "Connection: close",
      "",
      body.slice(0, -LETTER),
    ].join("\r\n"),
  );
  await Bun.sleep(100);
  meanwhile();
  socket.write(body.slice(-LETTER));
  await closed;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

test("a form whose body arrives after its sender lost their rights changes nothing", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  await signUpMember(site, "warden", { role: "admin" });
  const mallory = await signUpMember(site, "mallory", { role: "admin" });
  const form_token = tokenOf(await mallory.open("/settings/tokens/new"));
  const hasRole = (username: string) =>
    site.core.db.prepare("SELECT 1 FROM builders WHERE username = ? AND role <> 'member'").get(username);

  const created = await holdForm(
    site,
    mallory,
    "/admin/builders/ada/role",
    { form_token, role: "moderator" },
    () => changeRole(site.core, OPERATOR, "mallory", "member"),
  );
  expect(created).toBe(404);
  expect(hasRole("ada")).toBeUndefined();

  const TOKEN = { form_token, name: "for later", scopes: "feed:read", days: "0" };
  let before = "";
  const note = (): void => void (before = contentsOf(site));
  const whileSuspended = await holdForm(site, mallory, "/settings/tokens", TOKEN, () => {
    setSuspended(site.core, OPERATOR, "mallory", true);
    note();
  });
  expect(whileSuspended).toBe(403);
  expect(contentsOf(site)).toBe(before);

  setSuspended(site.core, OPERATOR, "mallory", false);
  const withoutSession = await holdForm(site, mallory, "/settings/tokens", TOKEN, () => {
    site.core.db.transact(() => site.core.db.prepare("DELETE FROM sessions").run());
    note();
  });
  expect(withoutSession).toBe(403);
  expect(contentsOf(site)).toBe(before);
});

test("a slow form of a member who is still signed in is accepted", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const form_token = tokenOf(await ada.open("/settings/workspaces"));
  const status = await holdForm(site, ada, "/settings/workspaces", { form_token, name: "Tools" }, () => {});
  expect(status).toBe(303);
});

test("an endpoint is not added when its owner is suspended during the DNS lookup", async () => {
  let isSlow = false;
  await using site: Site = openSite({
    resolve: async () => {
      if (isSlow) setSuspended(site.core, OPERATOR, "mallory", true);
      return ["93.184.215.14"];
    },
  });
  await signUpMember(site, "warden", { role: "admin" });
  const mallory = await signUpMember(site, "mallory");
  const form_token = tokenOf(await mallory.open("/settings/webhooks/new"));
  const add = (url: string) =>
    mallory.post("/settings/webhooks", { form_token, url, events: "post.created" });
  const endpoints = () =>
    site.core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM webhook_endpoints").get()?.n;
  expect([(await add("https://one.example.com/")).status, endpoints()]).toEqual([200, 1]);
  isSlow = true;
  await add("https://two.example.com/");
  expect(endpoints()).toBe(1);
});
