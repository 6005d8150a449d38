import {
  createAccountOf,
  openSite,
  signedInAs,
  type ShownPage,
  type Site,
  tokenOf,
  type Visitor,
  visit,
} from "./support.ts";

/** A site with two builders and a guest. */
export interface SiteWithMembers extends AsyncDisposable {
  site: Site;
  ada: Visitor;
  bob: Visitor;
  guest: Visitor;
}

export async function openSiteWithMembers(): Promise<SiteWithMembers> {
  const site = openSite();
  for (const username of ["ada", "bob"]) await createAccountOf(site, username);
  return {
    site,
    ada: signedInAs(site, "ada"),
    bob: signedInAs(site, "bob"),
    guest: visit(site),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Sends the fields of another page's form, for a visitor who does not see that form. */
export async function postWithoutForm(
  visitor: Visitor,
  path: string,
  fields: Record<string, string> = {},
): Promise<ShownPage> {
  return visitor.post(path, { ...fields, form_token: tokenOf(await visitor.open("/")) });
}

export async function publishPost(visitor: Visitor, text: string): Promise<ShownPage> {
  return visitor.submit(await visitor.open("/"), "/posts", { text });
}

/** Returns the path of a page without its notice. */
export function pathOf({ address }: ShownPage): string {
  return address.split("?")[0] ?? "";
}

/** Returns the path of the post or reply with exactly this text. */
export function postWithText({ html }: ShownPage, text: string): string {
  return `/posts/${html
    .split(`<p>${text}</p>`)[0]
    ?.match(/id="post_\w+"/g)
    ?.at(-1)
    ?.slice(4, -1)}`;
}

export const JOB = {
  "company.name": "Tidewater Systems",
  title: "Storage Engineer",
  location: "São Paulo, Brazil",
  city: "São Paulo",
  remote: "true",
  seniority: "senior",
  stack: "Rust, SQLite",
  "salary.min": "75000",
  "salary.max": "105000",
  "salary.currency": "eur",
  description: "You will own the **storage engine**.",
  apply_url: "https://tidewater.example.com/careers/1",
};

export const PROMPT = {
  title: "Review a diff",
  body: "You maintain this.\r\nBe kind.",
  model: "Claude Sonnet",
  category: "Code review",
};
