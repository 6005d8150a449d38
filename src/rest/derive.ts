import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { Page } from "../core/ground/page.ts";
import type {
  AllOperation,
  ListOperation,
  Method,
  Operation,
  ReadOperation,
  WriteOperation,
} from "../operations/operation.ts";
import { follow, waitFor, waitParameter } from "./events.ts";
import { exampleOf } from "./example.ts";
import { type Answer, type Ask, type Operation as Route } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { presenterOf, wireOf } from "./present.ts";

/** What v1 makes of an operation of the table: its address, its documents, and what runs it. */
export function routeOf(op: Operation): Route {
  const [method, path] = op.at.split(" ") as [Method, string];
  const said = {
    id: op.id,
    method,
    path,
    group: op.group,
    summary: op.summary,
    description: [op.description, op.inRest].filter((part) => part !== undefined).join(" "),
    scope: op.scope,
    ...(op.param ? { param: op.param } : {}),
    refusals: [
      ...(op.param ? [404 as const] : []),
      ...(method === "POST" ? [409 as const, 422 as const] : []),
      ...(op.refusals ?? []),
    ],
  };
  switch (op.kind) {
    case "read":
      return { ...said, ...readRoute(op) };
    case "list":
      return { ...said, ...listRoute(op) };
    case "all":
      return { ...said, ...allRoute(op) };
    case "write":
      return { ...said, ...writeRoute(op) };
  }
}

type Half = Pick<Route, "query" | "body" | "isBodyOptional" | "answer" | "handle">;

function readRoute(op: ReadOperation): Half {
  const present = presenterOf(op.view);
  return {
    ...(op.query ? { query: op.query } : {}),
    answer: { status: 200, description: op.gives, schema: wireOf(op.view), example: exampled(op, op.view) },
    handle: ({ core, caller, id, query }: Ask<never, never>) => ({
      status: 200,
      body: present(op.run({ core, caller, id, query })),
    }),
  };
}

function listRoute(op: ListOperation): Half {
  const present = presenterOf(op.view);
  return {
    query: Type.Object({ ...pageParameters, ...op.filter?.properties, ...waitParameter(op) }),
    answer: {
      status: 200,
      description: op.gives,
      schema: PageOf(op.page, wireOf(op.view)),
      example: { data: [exampled(op, op.view)], next: null },
    },
    handle({ core, caller, id, query, live }: Ask<never, never>) {
      const { limit, cursor, wait, ...filter } = query as { limit: number; cursor?: string; wait?: number };
      const asked = { core, caller, id, filter: filter as never };
      if (op.growing && live.isStream) return { status: 200, stream: follow(op, asked, live) };
      const request = pageRequest(cursor === undefined ? { limit } : { limit, cursor });
      const page = op.run({ ...asked, page: request });
      return page.nodes.length === 0 && wait && live.mayWait
        ? waitFor(op, asked, request, wait, live).then((waited) => presentPage(waited, present))
        : presentPage(page, present);
    },
  };
}

function allRoute(op: AllOperation): Half {
  const present = presenterOf(op.view);
  return {
    answer: {
      status: 200,
      description: op.gives,
      schema: Type.Object({ data: Type.Array(wireOf(op.view)) }, { $id: op.list }),
      example: { data: [exampled(op, op.view)] },
    },
    handle: ({ core, caller, id }: Ask<never, never>) => ({
      status: 200,
      body: { data: op.run({ core, caller, id }).map(present) },
    }),
  };
}

function writeRoute(op: WriteOperation): Half {
  const { view, place } = op;
  const present = view && presenterOf(view);
  const status = op.effect === "makes" ? 201 : view ? 200 : 204;
  return {
    ...(op.draft ? { body: op.draft as TObject } : {}),
    ...(op.isDraftOptional ? { isBodyOptional: true } : {}),
    answer: {
      status,
      description: op.gives,
      ...(view ? { schema: wireOf(view), example: exampled(op, view) } : {}),
    },
    async handle({ core, caller, id, body, commit }: Ask<never, never>): Promise<Answer> {
      const draft = op.prepare ? ((await op.prepare({ core, caller, id, draft: body })) as never) : body;
      return commit((now) => {
        const made = op.run({ core, caller: now, id, draft });
        return {
          status,
          ...(present ? { body: present(made) } : {}),
          ...(place ? { headers: { location: `/v1${place(made as never)}` } } : {}),
        };
      });
    },
  };
}

function exampled({ example }: Operation, view: TSchema): unknown {
  const fields = Object.entries({ ...(exampleOf(view) as object), ...example });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** A page of a list that is run by hand, in the form of v1. */
export function pageFor(view: TSchema): (page: Page<unknown>) => Answer {
  const present = presenterOf(view);
  return (page) => presentPage(page, present);
}
