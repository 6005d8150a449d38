// docs/contract.md#9.7: a form field that may be sent more than once is declared by its route.
import { expect, test } from "bun:test";
import { pagesOf } from "../../src/web/pages/index.ts";
import { addSampleContent } from "./sample-site.ts";
import { contentsOf, openSite, signUpMember, signedInAs, tokenOf, visibleText } from "./support.ts";

test("each form with several boxes of one name leads to a route that accepts all of them", async () => {
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site);
  const routes = pagesOf(site.interactions);
  const found = new Set<string>();
  for (const username of ["ada", "root"])
    for (const route of routes.filter(({ method }) => method === "GET"))
      for (const boxes of await boxesOf((await signedInAs(site, username).open(pathOf(route))).html))
        found.add(boxes);
  const undeclared = [...found].filter((boxes) => {
    const [action = "", name = ""] = boxes.split(" ");
    return !routes.some(
      ({ method, path, repeats = [] }) =>
        method === "POST" && repeats.includes(name) && matches(path, action.split("?")[0] ?? ""),
    );
  });

  expect(undeclared).toEqual([]);
  expect([...found].map((boxes) => boxes.split(" ")[1])).toContain("scopes");
});

test("refuses a duplicate field, also in a form with a picture, and posts nothing", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  const body = new FormData();
  body.set("form_token", tokenOf(await ada.open("/")));
  for (const text of ["one", "another"]) body.append("text", text);
  const before = contentsOf(site);

  const response = await fetch(`${site.url}/posts`, {
    method: "POST",
    headers: {
      accept: "text/html",
      cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      origin: site.core.origin,
    },
    body,
  });

  expect(response.status).toBe(400);
  expect(visibleText(await response.text())).toContain("This form has two values for one field");
  expect(contentsOf(site)).toBe(before);
});

function matches(path: string, action: string): boolean {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`).test(action);
}

/** Returns `ACTION NAME` of each field with several checkboxes or a multiple selection. */
async function boxesOf(html: string): Promise<string[]> {
  const forms: { action: string; names: string[] }[] = [];
  await new HTMLRewriter()
    .on("form", {
      element: (form) => void forms.push({ action: form.getAttribute("action") ?? "", names: [] }),
    })
    .on("form[method=post] input:not([type=radio]), form[method=post] textarea", {
      element: (input) => void forms.at(-1)?.names.push(input.getAttribute("name") ?? ""),
    })
    .transform(new Response(html))
    .text();
  return forms.flatMap(({ action, names }) => {
    const repeated = names.filter((name, at) => names.indexOf(name) !== at);
    return [...new Set(repeated)].map((name) => `${action} ${name}`);
  });
}
