import type { AppDraft } from "../../src/core/delegation/apps/app.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import { findBuilder } from "../../src/core/identity/builders/builders-store.ts";
import { signedInNow } from "../support.ts";
import type { Site } from "./support.ts";

/** RFC 7636, appendix B. */
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Starts an app's server, which records the redirects it receives. */
export function openApp(): { redirect: string; answers: URL[]; [Symbol.dispose](): void } {
  const answers: URL[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      if (new URL(request.url).pathname === "/callback") answers.push(new URL(request.url));
      return new Response("<!doctype html><title>The app</title>Back at the app", {
        headers: { "content-type": "text/html" },
      });
    },
  });
  return {
    redirect: `http://127.0.0.1:${server.port}/callback`,
    answers,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

/** Returns a builder as a caller of the pages who has just signed in. */
export function personOn({ core }: Site, username: string): BuilderCaller {
  const builder = findBuilder(core, username);
  if (!builder) throw new Error(`no builder has the username ${username}`);
  return signedInNow(core, { builderId: builder.id });
}

export function makeApp(site: Site, username: string, draft: Partial<AppDraft> = {}) {
  const maker = personOn(site, username);
  return registerApp(site.core, maker, maker.workspaceId, {
    name: "Tidewater CI",
    kind: "confidential",
    redirectUris: ["https://ci.tidewater.example/callback"],
    scopes: ["feed:read", "feed:write", "jobs:read"],
    ...draft,
  });
}

/** Returns the path to which an app sends the browser. */
export function authorizePath(
  { app }: ReturnType<typeof makeApp>,
  scope: string,
  more: Record<string, string> = {},
): string {
  return `/v1/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: app.id,
    redirect_uri: app.redirectUris[0] ?? "",
    scope,
    state: "s",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...more,
  })}`;
}
