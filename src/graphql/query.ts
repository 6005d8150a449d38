import {
  type AllOperation,
  type ListOperation,
  type OperationRequest,
  type ReadOperation,
  scopeSentence,
} from "../operations/operation.ts";
import type { Page, PageRequest } from "../core/base/page.ts";
import { builder } from "./builder.ts";
import { type ConnectionArgs, listConnection } from "./connection.ts";
import type { GraphContext } from "./context.ts";
import { fieldsOf, readFilter } from "./inputs.ts";

/** Reads the result. `filter` and `page` are set only for lists. */
type Run = (request: OperationRequest & { filter: never; page: PageRequest }) => unknown;

/**
 * Adds a Query field that runs a read or list operation. The operation defines the description, parameter,
 * filter and scope. Pass `run` to replace the operation's own function, if that function returns data in
 * REST's form.
 */
export function queryOf(
  name: string,
  op: AllOperation | ListOperation | ReadOperation,
  type: unknown,
  run?: Run,
): void {
  builder.queryField(name, (t) => queryField(t, op, type, run));
}

/** Same as `queryOf`, for a field of another type, such as Viewer. */
export function queryField(
  fields: unknown,
  op: AllOperation | ListOperation | ReadOperation,
  type: unknown,
  run = op.run as Run,
): never {
  const t = fields as Parameters<Parameters<typeof builder.queryField>[1]>[0];
  const param = op.kind === "read" ? op.param : undefined;
  const filter = op.kind === "list" ? op.filter : undefined;
  const options = [
    op.description ?? `${op.summary}.`,
    scopeSentence(op),
    param && "Returns a `not_found` error if the object does not exist or you may not see it.",
  ];
  return t.field({
    type: type as never,
    nullable: true,
    description: options.filter(Boolean).join(" "),
    args: {
      ...(op.kind === "list" ? t.arg.connectionArgs() : {}),
      ...(filter ? fieldsOf(t.arg, filter, "") : {}),
      ...(param ? { id: t.arg.id({ required: true, description: param.description }) } : {}),
    },
    resolve(_source: unknown, args: ConnectionArgs & { id?: string }, { core, caller }: GraphContext) {
      const read = (page?: PageRequest) => {
        const given = (filter ? readFilter(filter, args) : {}) as never;
        return run({ core, caller, id: args.id ?? "", filter: given, page: page as PageRequest });
      };
      return op.kind === "list" ? listConnection(args, read as (page: PageRequest) => Page<unknown>) : read();
    },
  } as never) as never;
}
