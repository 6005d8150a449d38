import { PAGES } from "../../src/web/pages/index.ts";
import { isDrill } from "../drill.ts";
import { addSampleContent, isStaffPage } from "./sample-site.ts";
import { openSite, signedInAs, tokenOf, type Visitor, visit } from "./support.ts";

/**
 * Returns every page as each kind of visitor sees it, and each form after a refusal. In the suite, each
 * visitor opens alternate pages with a query. A drill opens every page with and without a query.
 */
export async function pagesOf(text: string): Promise<Map<string, string>> {
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site, text);
  const pages = new Map<string, string>();
  const visitors = { guest: visit(site), ada: signedInAs(site, "ada"), root: signedInAs(site, "root") };
  for (const [turn, [who, visitor]] of Object.entries(visitors).entries()) {
    for (const [page, route] of PAGES.filter(({ method }) => method === "GET").entries()) {
      for (const [way, query] of ["", QUERY(text)].entries()) {
        if (!isDrill && way !== (turn + page) % 2) continue;
        const path = pathOf(route);
        const shownPage = await visitor.open(`${path}${path.includes("?") ? "&" : "?"}${query}`);
        // Skips downloads, and JSON for the page script.
        const isPage = shownPage.headers.get("content-type")?.startsWith("text/html") === true;
        if (isPage && !shownPage.headers.has("content-disposition"))
          pages.set(`${who} ${route.path} ${query === "" ? "" : "asked"}`, shownPage.html);
      }
    }
  }
  for (const route of PAGES.filter(({ method }) => method === "POST")) {
    const visitor = isStaffPage(route)
      ? signedInAs(site, "root")
      : route.access === "anyone" || route.access === "reader"
        ? visit(site)
        : signedInAs(site, "ada");
    const page = await refuse(visitor, pathOf(route), text);
    if (!page.headers.has("content-disposition")) pages.set(`POST ${route.path}`, page.html);
  }
  return pages;
}

const FIELDS = [
  "q",
  "stack",
  "city",
  "model",
  "category",
  "tag",
  "next",
  "invite",
  "token",
  "notice",
  "state",
  "name",
  "username",
  "user_code",
  "error",
];

function QUERY(text: string): string {
  return new URLSearchParams(FIELDS.map((name) => [name, text])).toString();
}

/** Fills every field with the text, and with a text that is too long. */
async function refuse(visitor: Visitor, path: string, text: string) {
  const home = await visitor.open(visitor.cookies.size === 0 ? "/sign-in" : "/");
  const form_token = tokenOf(home);
  const names = [
    "username",
    "name",
    "password",
    "current",
    "text",
    "tags",
    "url",
    "events",
    "scopes",
    "days",
    "homepage",
    "redirects",
    "redirect_uris",
    "kind",
    "reason",
    "sustained",
    "burst",
    "since",
    "role",
    "next",
    "invite",
    "token",
    "user_code",
    "username",
  ];
  return visitor.post(path, {
    ...Object.fromEntries(names.map((name) => [name, text])),
    tags: "a b c d e f g",
    // The text may be ada's username by now, and this form would remove her account.
    ...(path.startsWith("/admin/spam") && { username: "nobody" }),
    form_token,
  });
}
