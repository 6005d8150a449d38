import { fault, refuseFields } from "../../core/base/errors.ts";
import { PAGE_LIMIT } from "../../core/base/page.ts";
import { builder } from "../builder.ts";
import { nodeOf } from "../nodes.ts";

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description:
      "Any object by its identifier. `null` if the object does not exist or you may not see it. Requires the scope that reads this type of object.",
    args: { id: t.arg.id({ required: true, description: "The identifier of the object." }) },
    resolve: (_root, { id }, context) => nodeOf(context, id),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Up to ${PAGE_LIMIT.max} objects by their identifiers, in the order of \`ids\`.`,
    args: { ids: t.arg.idList({ required: true, description: "The identifiers of the objects." }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > PAGE_LIMIT.max)
        throw refuseFields([fault("ids", "list_too_long", { max: PAGE_LIMIT.max })]);
      return ids.map((id) => nodeOf(context, id));
    },
  }),
}));
