import { getAttempts, getDeliveries } from "../../core/outbox/deliveries/delivery-log.ts";
import { fault, refuseFields } from "../../core/ground/errors.ts";
import { getEvents } from "../../core/outbox/events/events.ts";
import { getPosts } from "../../core/community/feed/feed.ts";
import { isId, kindOf, type IdKind } from "../../core/ground/ids.ts";
import { getCompanies } from "../../core/community/jobs/companies.ts";
import { getJobs } from "../../core/community/jobs/jobs.ts";
import { getMessages, getThreads } from "../../core/community/messages/messages.ts";
import { getReports } from "../../core/across/moderation/reports.ts";
import { PAGE_LIMIT } from "../../core/ground/page.ts";
import { getProfiles } from "../../core/community/profiles/profiles.ts";
import { getProjects } from "../../core/community/profiles/projects.ts";
import { getPrompts } from "../../core/community/prompts/prompts.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { getCurrentWorkspace } from "../../core/delegation/workspaces/workspaces.ts";
import { getXpEntries } from "../../core/community/xp/xp.ts";
import { byId } from "../batch.ts";
import { builder, TYPE_OF_KIND } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { ownFilters } from "./job-filter.ts";

type Read = (context: GraphContext, ids: readonly string[]) => readonly { id: string }[];

/** How nodes of each kind are read, many at once: as their own operations, with their scopes; what the caller cannot see is left out. */
const READ: Readonly<Record<string, Read>> = {
  post: ({ core, caller }, ids) => getPosts(core, caller, ids),
  job: ({ core, caller }, ids) => getJobs(core, caller, ids),
  company: ({ core, caller }, ids) => getCompanies(core, caller, ids),
  prompt: ({ core, caller }, ids) => getPrompts(core, caller, ids),
  builder: ({ core, caller }, ids) => getProfiles(core, caller, ids),
  prj: ({ core, caller }, ids) => getProjects(core, caller, ids),
  whe: ({ core, caller }, ids) => listEndpoints(core, caller).filter(({ id }) => ids.includes(id)),
  evt: ({ core, caller }, ids) => getEvents(core, caller, ids),
  dlv: ({ core, caller }, ids) => getDeliveries(core, caller, ids),
  att: ({ core, caller }, ids) => getAttempts(core, caller, ids),
  thr: ({ core, caller }, ids) => getThreads(core, caller, ids),
  msg: ({ core, caller }, ids) => getMessages(core, caller, ids),
  flt: ownFilters,
  ws: ({ core, caller }) => [getCurrentWorkspace(core, caller)],
  rpt: ({ core, caller }, ids) => getReports(core, caller, ids),
  xp: ({ core, caller }, ids) => getXpEntries(core, caller, ids),
};

/**
 * A node; null for an id that is unknown, forged or of something that is not the caller's to see: the three
 * look the same (docs/threats.md#G09).
 */
export async function nodeOf(context: GraphContext, id: string): Promise<{ id: string } | undefined> {
  const kind = kindOf(id);
  const read = Object.hasOwn(TYPE_OF_KIND, kind) ? READ[kind] : undefined;
  if (!read || !isId(kind as IdKind, id)) return undefined;
  return context.batch(`nodes ${kind}`, id, (ids) => byId(read(context, ids)));
}

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      "Anything by its identifier; null where there is nothing of that name for you to see. A token without the scope of its type is refused.",
    args: { id: t.arg.id({ required: true, description: "Its identifier, as REST shows it." }) },
    resolve: (_root, { id }, context) => nodeOf(context, id),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `The same for up to ${PAGE_LIMIT.max} at once, in the order of \`ids\`.`,
    args: { ids: t.arg.idList({ required: true, description: "Their identifiers." }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > PAGE_LIMIT.max)
        throw refuseFields([fault("ids", "list_too_long", { max: PAGE_LIMIT.max })]);
      return ids.map((id) => nodeOf(context, id));
    },
  }),
}));
