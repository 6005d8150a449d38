import { countsOf } from "../../core/services/community-settings/community.ts";
import {
  communitySettingsOf,
  isForMembers,
} from "../../core/identity/community-settings/community-settings.ts";
import { documentAnswer } from "../request/documents.ts";
import { publicPage, type PageContext, type PageRoute } from "../request/route.ts";

const SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.1";
const HERE = "/nodeinfo/2.1";

/** NodeInfo 2.1, for directories of communities (docs/contract.md#12.25). */
export function nodeInfo(version: string): readonly PageRoute[] {
  return [
    publicPage("GET", "/.well-known/nodeinfo", (ctx) =>
      json(ctx, "application/json; charset=utf-8", {
        links: [{ rel: SCHEMA, href: ctx.core.origin + HERE }],
      }),
    ),
    publicPage("GET", HERE, (ctx) =>
      json(ctx, `application/json; profile="${SCHEMA}#"; charset=utf-8`, infoOf(ctx, version)),
    ),
  ];
}

function infoOf({ core }: PageContext, version: string): Record<string, unknown> {
  const { name, line, joining, reading } = communitySettingsOf(core);
  // A members-only community does not publish its counts.
  const counts = isForMembers(core) ? undefined : countsOf(core);
  return {
    version: "2.1",
    software: { name: "guildhall", version },
    // The site speaks none of the protocols that the schema allows.
    protocols: [],
    services: { inbound: [], outbound: [] },
    openRegistrations: joining === "open" || joining === "approval",
    usage: counts
      ? {
          users: {
            total: counts.members,
            activeMonth: counts.activeMonth,
            activeHalfyear: counts.activeHalfYear,
          },
          localPosts: counts.posts,
          localComments: counts.replies,
        }
      : { users: {} },
    metadata: {
      nodeName: name,
      nodeDescription: line,
      reading,
      joining,
      privacy: `${core.origin}/privacy`,
      terms: `${core.origin}/terms`,
    },
  };
}

function json({ context }: PageContext, type: string, content: unknown): Response {
  return documentAnswer(context, JSON.stringify(content), {
    "content-type": type,
    "cache-control": "no-cache",
  });
}
