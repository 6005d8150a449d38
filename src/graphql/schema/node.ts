import { fault, refuseFields } from "../../core/base/errors.ts";
import { PAGE_LIMIT } from "../../core/base/page.ts";
import { builder } from "../builder.ts";
import { nodeOf } from "../nodes.ts";

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      "Anything by its identifier; null where there is nothing of that name for you to see. A token without the scope of its type is refused.",
    args: { id: t.arg.id({ required: true, description: "Its identifier, as a list shows it." }) },
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
