import { getCurrentWorkspace } from "../../core/delegation/workspaces/workspaces.ts";
import { listEvents } from "../../core/outbox/events/events.ts";
import { parseTimestamp } from "../../core/base/timestamp.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { type ConnectionArgs, listConnectionAsync } from "../connection.ts";
import { EndpointRef, EventConnection, node, WorkspaceRef } from "./refs.ts";

node(WorkspaceRef, {
  description:
    "A workspace owns tokens, apps, and webhooks. It belongs to one person, or several people share it. A token belongs to exactly one workspace.",
  kind: "ws",
  many: (core, caller) => [getCurrentWorkspace(core, caller)],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the workspace." }),
    isPersonal: t.exposeBoolean("isPersonal", {
      description: "Whether this is the personal workspace of one builder.",
    }),
    members: t.exposeInt("members", { description: "The number of members." }),
    createdAt: t.field({
      type: "DateTime",
      description: "The time at which the workspace was created.",
      resolve: ({ createdAt }) => createdAt,
    }),
    webhooks: t.field({
      type: [EndpointRef],
      nullable: true,
      description: "All webhook endpoints, newest first, at most 50. Requires the `webhooks:read` scope.",
      resolve: (_workspace, _, { core, caller }) => listEndpoints(core, caller),
    }),
    events: t.field({
      type: EventConnection,
      nullable: true,
      description:
        "The events that this workspace may see, oldest first. The operator sets how long events are kept. Use this list if you do not receive webhooks. Requires the `webhooks:read` scope.",
      args: {
        ...t.arg.connectionArgs(),
        since: t.arg({
          type: "DateTime",
          required: false,
          description: "Return only events fired after this time.",
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
