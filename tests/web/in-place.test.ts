// Tests docs/contract.md#9.43 without a browser.
import { expect, test } from "bun:test";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { callerOf } from "./sample-site.ts";
import { formsOf, tokenOf, visibleText } from "./support.ts";
import { openSiteWithMembers, pathOf, publishPost } from "./site-with-members.ts";

const STALE = "Dieses Formular ist abgelaufen. Lade die Seite neu und sende es noch einmal.";
const ASKS = { "guildhall-fragment": "1" };

test("a form that asks for its fragment gets the new form alone, and any other form a redirect", async () => {
  await using fixture = await openSiteWithMembers();
  const { ada, bob } = fixture;
  const post = pathOf(await publishPost(bob, "A loom"));
  const feed = await ada.open("/");
  const sent = { form_token: tokenOf(feed), back: "/" };
  const said = [];
  for (const path of [`${post}/like`, `${post}/bookmark`, "/@bob/follow", "/tags/looms/follow"]) {
    const plain = await ada.post(path, sent);
    expect([plain.status, plain.location === null, plain.headers.has("guildhall-fragment")]).toEqual([
      303,
      false,
      false,
    ]);
    const { status, headers, html, forms } = await ada.post(path, sent, ASKS);
    expect([status, headers.get("cache-control"), headers.has("guildhall-fragment")]).toEqual([
      200,
      "private, no-store",
      true,
    ]);
    expect(html).toStartWith("<form ");
    expect(forms.map(({ action }) => action)).toEqual([path.replace(/(\w+)$/, "un$1")]);
    said.push(visibleText(html));
    // The form in the fragment works, and leads back to the page of the first one.
    const [form] = await formsOf(html);
    const undone = await ada.post(form?.action ?? "", Object.fromEntries(form?.fields ?? []), ASKS);
    expect(undone.forms.map(({ action }) => action)).toEqual([path]);
  }
  expect(said).toEqual(["Like · 1", "Bookmark", "Following", "Following"]);
});

test("a refused fragment is one sentence in the language of the page, and a guest gets the sign-in page", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob, guest } = fixture;
  const post = pathOf(await publishPost(bob, "A loom"));
  const german = { ...ASKS, "accept-language": "de" };
  const sent = { form_token: tokenOf(await ada.open("/")), back: "/" };
  const like = async (fields: Record<string, string>) => {
    const { status, html, headers } = await ada.post(`${post}/like`, fields, german);
    expect([html.startsWith("<p "), headers.has("guildhall-fragment")]).toEqual([true, true]);
    return [status, visibleText(html)];
  };

  expect(await like({ ...sent, form_token: "stale" })).toEqual([403, STALE]);
  expect(await ada.post(`${post}/like`, sent, { ...german, origin: "https://example.com" })).toMatchObject({
    status: 403,
  });
  const page = await guest.post(`${post}/like`, { form_token: tokenOf(await guest.open("/")) }, german);
  expect([page.headers.has("guildhall-fragment"), page.html.includes('action="/sign-in"')]).toEqual([
    false,
    true,
  ]);
  deletePost(site.core, callerOf(site, bob), post.slice("/posts/".length));
  expect(await like(sent)).toEqual([404, "Diesen Beitrag gibt es nicht oder nicht mehr."]);
  // Any path counts, and this one is cheap.
  const cookie = [...ada.cookies].map((pair) => pair.join("=")).join("; ");
  while ((await fetch(`${site.url}/nowhere`, { headers: { cookie } })).status !== 429);
  const limited = await fetch(`${site.url}${post}/like`, {
    method: "POST",
    headers: { ...german, cookie, accept: "text/html", origin: site.core.origin },
    body: new URLSearchParams(sent),
  });
  expect([limited.status, limited.headers.has("guildhall-fragment")]).toEqual([429, true]);
  expect(visibleText(await limited.text())).toStartWith("Zu viele Anfragen. Warte 1 Sekunde");
});
