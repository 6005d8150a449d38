import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeSetupLink } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { makeAuthenticator } from "../core/authenticator.ts";
import {
  openSite,
  type ShownPage,
  signIn,
  type Site,
  tokenOf,
  unescape,
  type Visitor,
  visit,
} from "./support.ts";

const PASSWORDS = [
  "a first horse battery",
  "a second horse battery",
  "a third horse battery",
  "a wrong horse battery",
];

/** Uses many pages and returns every secret shown or typed. */
async function live(site: Site): Promise<Set<string>> {
  const secrets = new Set<string>(PASSWORDS);
  const [first = "", second = "", third = "", wrong = ""] = PASSWORDS;
  const seen = (page: ShownPage): ShownPage => {
    expect(`${page.address} ${page.status}`).toBe(`${page.address} 200`);
    for (const [secret] of unescape(page.html).matchAll(
      /\b(?:guild_pat_|whsec_)[\w+/=]+|(?<=token=)[\w-]{43}/g,
    ))
      secrets.add(secret);
    for (const [secret] of unescape(page.html).matchAll(/(?<=<code class="secret-value"[^>]*>)[^<]+/g))
      secrets.add(secret.trim());
    return page;
  };
  const link = (url: string): string => {
    const { pathname, search, searchParams } = new URL(url);
    for (const value of searchParams.values()) secrets.add(value);
    return pathname + search;
  };

  const ada = visit(site);
  seen(
    await ada.submit(await ada.open(link(makeSetupLink(site.core, OPERATOR)?.url ?? "")), "/setup", {
      username: "ada",
      password: first,
    }),
  );
  const bob = visit(site);
  seen(
    await bob.submit(await bob.open(link(makeInvite(site.core, OPERATOR).url)), "/sign-up", {
      username: "bob",
      password: second,
    }),
  );
  link(makeInvite(site.core, OPERATOR).url);
  const typo = visit(site);
  await typo.submit(await typo.open("/sign-in"), "/sign-in", { username: "ada", password: wrong });
  const elsewhere = visit(site);
  await signIn(elsewhere, "ada", first);
  seen(
    await elsewhere.submit(await elsewhere.open("/settings/security"), "/settings/account/password", {
      current: first,
      password: third,
    }),
  );
  link(makeRecovery(site.core, OPERATOR, "bob").url);
  await signIn(ada, "ada", third);

  const token = seen(
    await ada.submit(await ada.open("/settings/tokens/new"), "/settings/tokens", {
      name: "script",
      scopes: ["feed:read", "profile:read"],
    }),
  );
  await site.request(/guild_pat_\w+/.exec(token.html)?.[0], "/profiles/me");
  const endpoint = seen(
    await ada.submit(await ada.open("/settings/webhooks/new"), "/settings/webhooks", {
      url: "https://hooks.example.com/",
      events: "post.created",
    }),
  );
  const [home = ""] = /\/settings\/webhooks\/whe_\w+/.exec(endpoint.html) ?? [];
  seen(await ada.submit(await ada.open(home), `${home}/rotate`));
  seen(await ada.submit(await ada.open(home), `${home}/test`));
  const workspace = seen(
    await ada.submit(await ada.open("/settings/workspaces"), "/settings/workspaces", { name: "Tools" }),
  );
  seen(await ada.submit(workspace, /\/invitations$/));
  seen(
    await ada.submit(await ada.open("/settings/apps/new"), "/settings/apps", {
      name: "Tidewater CI",
      kind: "confidential",
      redirectUris: "https://app.example.com/back",
      scopes: "feed:read",
    }),
  );
  const { challenge } = await addPasskey(site, ada);
  secrets.add(challenge);
  for (const { cookies, setCookies } of [ada, bob, elsewhere]) {
    for (const value of cookies.values()) secrets.add(value);
    for (const line of setCookies) secrets.add(/=([^;]*)/.exec(line)?.[1] ?? "");
  }
  secrets.add(tokenOf(await ada.open("/")));
  secrets.delete("");
  return secrets;
}

async function addPasskey(site: Site, ada: Visitor): Promise<{ challenge: string }> {
  const form_token = tokenOf(await ada.open("/settings/account"));
  const { challenge } = JSON.parse(
    (await ada.post("/settings/account/passkeys/options", { form_token })).html,
  ) as { challenge: string };
  const key = await makeAuthenticator();
  const response = await key.create({ challenge, origin: site.core.origin, rpId: "localhost" });
  const page = await ada.post("/settings/account/passkeys", {
    name: "phone",
    response: JSON.stringify(response),
    form_token,
  });
  expect(page.status).toBe(303);
  return { challenge };
}

/** Sends the secrets in wrong places, like a careless client. The log must mask them. */
async function sendInWrongPlaces({ url }: Site, secrets: ReadonlySet<string>): Promise<number> {
  const opaque = [...secrets].filter((secret) => /^(?:guild_|whsec_|[\w-]{43}$)/.test(secret));
  for (const secret of opaque) {
    const agents = [`${secret}`, `bot/1.0 (token ${secret})`, `${"x ".repeat(90)}${secret}`];
    for (const agent of agents)
      await fetch(`${url}/v1/feed?token=${secret}`, {
        headers: {
          "user-agent": agent,
          traceparent: secret,
          cookie: `a=${secret}`,
          "x-forwarded-for": secret,
        },
      });
    if (!/^(?:guild_|whsec_)/.test(secret)) continue;
    for (const path of [`/v1/${secret}`, `/${secret}/x`, `/v1/posts/${secret.toUpperCase()}`])
      await fetch(url + path, { method: "POST", headers: { "x-request-id": secret } });
  }
  return opaque.length;
}

test("no secret shown or typed on the pages is readable in the data folder or the log", async () => {
  await using site = openSite();
  const secrets = await live(site);
  expect(secrets.size).toBeGreaterThan(20);
  expect(await sendInWrongPlaces(site, secrets)).toBeGreaterThan(10);
  const kinds = ["guild_pat_", "whsec_", "horse battery"].map(
    (kind) => [...secrets].filter((secret) => secret.includes(kind)).length,
  );
  expect(kinds).toEqual([1, 2, 4]);
  const files = readdirSync(site.folder).map(
    (name) => [name, readFileSync(join(site.folder, name))] as const,
  );
  expect(files.map(([name]) => name)).toContain("guildhall.db");
  const log = site.logged.join("\n");
  const found: string[] = [];
  for (const secret of secrets) {
    const forms = [
      secret,
      Buffer.from(secret).toString("base64").replace(/=+$/, ""),
      Buffer.from(secret).toString("hex"),
      encodeURIComponent(secret),
    ];
    for (const form of forms) {
      for (const [name, bytes] of files) if (bytes.includes(form)) found.push(`${name}: ${secret}`);
      if (log.includes(form)) found.push(`log: ${secret}`);
    }
    if (/^[\w-]{43}$/.test(secret)) {
      const raw = Buffer.from(secret, "base64url");
      for (const [name, bytes] of files)
        if (bytes.includes(raw)) found.push(`${name}: the bytes of ${secret}`);
    }
  }
  expect(found).toEqual([]);
  // Proves that the search finds stored text.
  expect(files.some(([, bytes]) => bytes.includes("Tidewater CI"))).toBe(true);
});
