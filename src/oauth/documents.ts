import { publicKeys } from "../core/delegation/oauth/keys.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { json } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";
import type { Transport } from "../http/transport.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { PATHS } from "./paths.ts";

/**
 * Paths of the metadata documents. Listed individually, because other documents under `/.well-known` are not
 * part of OAuth.
 */
const DOCUMENTS = [
  "/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  PATHS.jwks,
];

/**
 * Creates the transports of the metadata documents. Apps read the URLs of all endpoints from these documents.
 */
export const documentsOf = (core: Core): Transport[] =>
  DOCUMENTS.map((prefix) => ({
    prefix,
    transportName: "oauth",
    isCounted: true,
    isOpenToApps: () => true,
    handle: (context) => showDocument(core, context),
  }));

async function showDocument(core: Core, context: RequestContext): Promise<Response> {
  if (context.method !== "GET") throw refuse("nothing_here_that_way");
  const document = await documentAt(core, context.path);
  if (!document) throw refuse("nothing_here");
  context.route = context.path;
  return json(context, 200, document, { "cache-control": "public, max-age=300" });
}

async function documentAt(core: Core, path: string): Promise<object | undefined> {
  switch (path) {
    case "/.well-known/openid-configuration":
    case "/.well-known/oauth-authorization-server":
      return serverMetadata(core);
    // RFC 9728 §3.1 also requires the well-known path with the resource's path appended.
    case "/.well-known/oauth-protected-resource":
    case "/.well-known/oauth-protected-resource/v1":
      return resourceMetadata(core);
    case PATHS.jwks:
      return { keys: await publicKeys(core) };
    default:
      return undefined;
  }
}
