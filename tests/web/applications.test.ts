// Tests docs/contract.md#9.16: applicants, on pages and on all other paths.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { mailsDue } from "../due-messages.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { callerOf } from "./sample-site.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signedInAs,
  type Site,
  visit,
  type Visitor,
  visibleText,
} from "./support.ts";

const WHY = "I spin wool,\nand would <b>like</b> to learn to weave.";

/** Creates a community with approval of new members, and an admin. */
async function guarded(): Promise<{ site: Site; root: Visitor }> {
  const site = openSite();
  changeCommunitySettings(site.core, OPERATOR, {
    joining: "approval",
    reading: "members",
    rules: "Be kind.",
  });
  await createAccountOf(site, "root", { role: "admin" });
  return { site, root: signedInAs(site, "root") };
}

async function request(site: Site, username: string): Promise<Visitor> {
  const visitor = visit(site);
  const form = await visitor.open("/sign-up");
  const typed = { username, password: PASSWORD, why: WHY, agrees: "on" };
  expect((await visitor.submit(form, "/sign-up", typed)).address).toStartWith("/sign-up/waiting");
  return visitor;
}

test("an applicant sees only their own page; every other route of a members-only community treats them as a guest", async () => {
  const { site, root } = await guarded();
  await using _site = site;
  createPost(site.core, callerOf(site, root), { text: "Only for members: zebra @ada" });
  const ada = await request(site, "ada");
  const own = await ada.open("/sign-up/waiting");
  expect(visibleText(own.html)).toContain("and would <b>like</b> to learn");
  const guest = visit(site);
  // Compares every page of an applicant with a guest's page. Only form tokens and error ids may differ.
  const bare = (html: string) => html.replace(/value="[\w-]{86}"|<code>[^<]*<\/code>/g, "");
  for (const { path } of PAGES.filter(
    ({ method, path }) => method === "GET" && !path.startsWith("/sign-up"),
  )) {
    const address = path.replaceAll(/:\w+/g, "root").replace("/@root", "/@ada");
    const [theirs, strangers] = [await ada.open(address), await guest.open(address)];
    expect([address, theirs.status, bare(theirs.html)]).toEqual([
      address,
      strangers.status,
      bare(strangers.html),
    ]);
    expect(theirs.html).not.toContain("zebra");
  }
  // The applicant's cookie is not a session, even under the session's name.
  const seat = [...ada.cookies].find(([name]) => name.endsWith("applicant"))?.[1] ?? "";
  const asSession = visit(site, [["guildhall", seat]]);
  expect((await asSession.open("/settings/account")).forms[0]?.action).toBe("/sign-in");
  for (const path of ["/v1/feed", "/v1/profiles/ada", "/graphql?query={viewer{username}}"]) {
    const answer = await fetch(new URL(path, site.core.origin), {
      headers: { authorization: `Bearer ${seat}` },
    });
    expect([path, answer.status]).toEqual([path, 401]);
  }
  for (const path of ["/builders", "/search?q=ada", "/admin/builders", "/@ada"])
    expect((await root.open(path)).html).not.toContain('href="/@ada"');
  expect((await root.open("/@ada")).status).toBe(404);
});

test("an admin answers from a counted queue with a comment; the applicant reads it and signs in with their password", async () => {
  const { site, root } = await guarded();
  await using _site = site;
  const [ada, bob] = [await request(site, "ada"), await request(site, "bob")];
  expect((await root.open("/")).html).toMatch(/Admin<span class="count"[^>]*><span>2</);
  const queue = await root.open("/admin/applications");
  expect(visibleText(queue.html)).toContain("and would <b>like</b> to learn to weave.");
  const [first, second] = queue.forms.filter(({ action }) => action.endsWith("/approve"));
  const wordOf = (form?: { fields: [string, string][] }) =>
    form?.fields.find(([name]) => name.startsWith("word-"))?.[0] ?? "";
  const approved = await root.submit(queue, first?.action ?? "", { [wordOf(first)]: "Good to have you." });
  expect(visibleText(approved.html)).toContain("Join request approved.");
  // A second decision, also by another admin, changes nothing and shows a message.
  const twice = await root.submit(queue, first?.action ?? "");
  expect([twice.status, visibleText(twice.html).includes("It was decided or withdrawn")]).toEqual([
    404,
    true,
  ]);
  const decline = (second?.action ?? "").replace("/approve", "/decline");
  const token = second?.fields.find(([name]) => name === "form_token")?.[1] ?? "";
  expect((await root.post(decline, { [wordOf(second)]: "Not yet.", form_token: token })).status).toBe(303);

  expect(visibleText((await ada.open("/sign-up/waiting")).html)).toMatch(
    /Your join request was approved.*Good to have you\./s,
  );
  const entered = await ada.submit(await ada.open("/sign-in"), "/sign-in", {
    username: "ada",
    password: PASSWORD,
  });
  expect(entered.address).toStartWith("/?notice=signed-in");
  const later = visit(site);
  const page = await later.submit(await later.open("/sign-in"), "/sign-in", {
    username: "bob",
    password: PASSWORD,
  });
  expect(page.address).toBe("/sign-up/waiting");
  expect(visibleText(page.html)).toMatch(/Your join request was declined.*Not yet\./s);
  expect(page.html).not.toContain("weave");
  await later.submit(page, "/sign-up/waiting/withdraw");
  expect(visibleText((await bob.open("/sign-up/waiting")).html)).toContain("No join request found");
  const gone = await later.submit(await later.open("/sign-in"), "/sign-in", {
    username: "bob",
    password: PASSWORD,
  });
  expect(gone.status).toBe(401);
});

test("a refused form keeps the typed values except the password; a withdrawal deletes the request", async () => {
  const { site } = await guarded();
  await using _site = site;
  const visitor = visit(site);
  const typed = { username: "ada", name: "Ada", password: PASSWORD, why: WHY };
  const refused = await visitor.submit(await visitor.open("/sign-up"), "/sign-up", typed);
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("and would &lt;b&gt;like&lt;/b&gt; to learn");
  expect(refused.html).not.toContain(PASSWORD);
  const silent = await visitor.submit(refused, "/sign-up", { ...typed, agrees: "on", why: "  " });
  expect([silent.status, silent.html.includes('id="why-error"')]).toEqual([400, true]);
  const sent = await visitor.submit(silent, "/sign-up", { ...typed, agrees: "on" });
  const back = await visitor.submit(sent, "/sign-up/waiting/withdraw");
  expect(visibleText(back.html)).toContain("Join request withdrawn and deleted.");
  expect(site.core.db.prepare("SELECT 1 FROM applications").all()).toEqual([]);
});

test("with mail the form asks for an address; its link needs a button press, and the applicant sees the confirmed address", async () => {
  await using site = openSite({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
  changeCommunitySettings(site.core, OPERATOR, { joining: "approval" });
  const visitor = visit(site);
  const typed = { username: "ada", password: PASSWORD, why: WHY, mail: "no address" };
  const refused = await visitor.submit(await visitor.open("/sign-up"), "/sign-up", typed);
  expect([refused.status, refused.html.includes('id="mail-error"')]).toEqual([400, true]);
  const sent = await visitor.submit(refused, "/sign-up", { ...typed, mail: "ada@home.example" });
  expect(visibleText(sent.html)).toContain("A confirmation link was sent to ada@home.example");
  const address = `/mail/confirm?token=${mailsDue(site.core, "ordinary")[0]?.token}`;
  const guest = visit(site);
  const page = await guest.open(address);
  expect(visibleText(page.html)).toContain("will be sent to ada@home.example");
  expect(visibleText((await visitor.open("/sign-up/waiting")).html)).toContain(
    "A confirmation link was sent",
  );
  expect(visibleText((await guest.submit(page, "/mail/confirm")).html)).toContain(
    "The answer will be sent there.",
  );
  expect(visibleText((await visitor.open("/sign-up/waiting")).html)).toContain(
    "The answer is also sent to ada@home.example",
  );
  expect((await guest.open(address)).status).toBe(404);

  await using mute = openSite();
  changeCommunitySettings(mute.core, OPERATOR, { joining: "approval" });
  expect((await visit(mute).open("/sign-up")).html).not.toContain('name="mail"');
});
