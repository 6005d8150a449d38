import { getCurrentWorkspace } from "../../core/delegation/workspaces/workspaces.ts";
import { listEvents } from "../../core/outbox/events/events.ts";
import { parseTimestamp } from "../../core/base/timestamp.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { type ConnectionArgs, listConnectionAsync } from "../connection.ts";
import { EndpointRef, EventConnection, node, WorkspaceRef } from "./refs.ts";

node(WorkspaceRef, {
  description:
    "Where tokens, apps and webhooks belong: one person's own, or shared by several. A token is of exactly one.",
  kind: "ws",
  many: (core, caller) => [getCurrentWorkspace(core, caller)],
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is called." }),
    isPersonal: t.exposeBoolean("isPersonal", {
      description: "Whether it is the one that its builder has for ever and alone.",
    }),
    members: t.exposeInt("members", { description: "How many people are in it." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was made.",
      resolve: ({ createdAt }) => createdAt,
    }),
    webhooks: t.field({
      type: [EndpointRef],
      nullable: true,
      description: "All endpoints, newest first; 50 at most. Needs `webhooks:read`.",
      resolve: (_workspace, _, { core, caller }) => listEndpoints(core, caller),
    }),
    events: t.field({
      type: EventConnection,
      nullable: true,
      description:
        "All that this workspace may see of the days that the operator keeps events for, oldest first: the pull twin of the webhooks. Needs `webhooks:read`.",
      args: {
        ...t.arg.connectionArgs(),
        since: t.arg({
          type: "DateTime",
          required: false,
          description: "Only events fired after this moment.",
        }),
      },
      resolve: (_workspace, { since, ...args }, context) => {
        const filter = { since: since == null ? undefined : parseTimestamp(since) };
        return listConnectionAsync(args as ConnectionArgs, context, (request) =>
          listEvents(context.core, context.caller, filter, request),
        );
      },
    }),
  }),
});
