import { type Static, type TObject, Type } from "@sinclair/typebox";
import type { Write } from "../operations/operation.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import type { Core } from "../core/ground/core.ts";
import { CoreError } from "../core/ground/errors.ts";
import { builder } from "./builder.ts";
import type { GraphContext } from "./context.ts";
import { fieldsOf, readInput } from "./inputs.ts";
import { effectOf } from "./once.ts";
import { USER_ERRORS, userErrorsOf } from "./user-errors.ts";

/** What a mutation works with: parse → core call → payload, as an operation of REST. */
export interface Ask<Names extends string, Draft extends TObject> {
  core: Core;
  caller: Caller;
  /** What names the thing: REST has it in the path. */
  named: Readonly<Record<Names, string>>;
  /** What REST has in the body, checked by the same rules. */
  draft: Static<Draft>;
  /** Runs a write in a transaction of its own, once for each Idempotency-Key; resolves when it is on disk. */
  commit<Result>(write: (caller: Caller) => Result): Promise<Result>;
}

/** One field of a payload. */
interface Given {
  type: unknown;
  description: string;
  /** Reads it anew, where what was run gave but its id: only where it is asked for, and with the rights of whoever reads. */
  read?(id: string, context: GraphContext): unknown;
}

interface Mutation<Names extends string, Draft extends TObject, Payload extends object> {
  description: string;
  /** Identifiers and usernames that are asked for beside the draft, each in words. */
  names?: Readonly<Record<Names, string>>;
  draft?: Draft;
  /**
   * The scope that it needs, where asking twice does it twice (REST's POST): then it is done once for each Idempotency-Key. What `run`
   * commits is kept as JSON.
   */
  once?: Scope;
  payload: { readonly [Name in keyof Payload]: Given };
  run(ask: Ask<Names, Draft>): Payload | Promise<Payload>;
}

const NOTHING = Type.Object({});

/** Who asked for a mutation, of what. */
export interface Shown {
  core: Core;
  caller: Caller;
  id: string;
}

/** What a payload shows of an operation's result. */
interface Shape<Result, Payload extends object, Draft> {
  payload: { readonly [Name in keyof Payload]: Given };
  /** The result as the payload has it: under the payload's first name, unless this says otherwise. */
  show?(result: Result, asked: Shown): Payload;
  /** Where the graph takes another draft than REST: its schema, and what it says in the operation's words. */
  draft?: TObject;
  read?(given: never): Draft;
}

/**
 * The mutation of an operation of the table: its name, words, draft, scope and effect are said there. What REST does by POST is done once
 * for each Idempotency-Key. The parameter in REST's path is a field of the input: `username` for a builder, `id` for anything else.
 */
export function mutationOf<Draft, Result, Payload extends object>(
  op: Write<Draft, Result>,
  { payload, show, draft = op.draft, read }: Shape<Result, Payload, Draft>,
): void {
  const name = op.param && (isHandle(op.param.name) ? op.param.name : "id");
  const [first = ""] = Object.keys(payload);
  mutation(op.id, {
    description: [`${op.summary}.`, op.description, `Needs \`${op.scope}\`.`]
      .filter((part) => part !== undefined)
      .join(" "),
    ...(name && op.param ? { names: { [name]: op.param.description } } : {}),
    ...(op.at.startsWith("POST ") ? { once: op.scope } : {}),
    ...(draft ? { draft } : {}),
    payload,
    async run({ core, caller, named, draft: given, commit }) {
      const id = (name && (named as Readonly<Record<string, string>>)[name]) ?? "";
      const drafted = (read ? read(given as never) : given) as Draft;
      const prepared = (
        op.prepare ? await op.prepare({ core, caller, id, draft: drafted }) : drafted
      ) as Draft;
      return commit((now) => {
        const result = op.run({ core, caller: now, id, draft: prepared });
        return show ? show(result, { core, caller: now, id }) : ({ [first]: result } as Payload);
      });
    },
  });
}

/** Adds a mutation of Relay's form: one `input`, one payload, both with `clientMutationId`. `name` is REST's operation id. */
export function mutation<
  Payload extends object,
  Names extends string = never,
  Draft extends TObject = typeof NOTHING,
>(name: string, { description, names, draft, once, payload, run }: Mutation<Names, Draft, Payload>): void {
  const owner = name.slice(0, 1).toUpperCase() + name.slice(1);
  const nameEntries = Object.entries<string>(names ?? {});
  builder.relayMutationField(
    name,
    {
      name: `${owner}Input`,
      description: `What \`${name}\` needs.`,
      inputFields: (t) => ({
        ...Object.fromEntries(
          nameEntries.map(([key, words]) => [
            key,
            t.field({ type: isHandle(key) ? "String" : "ID", required: true, description: words }),
          ]),
        ),
        ...(draft ? fieldsOf((words) => t.field(words), draft, owner) : {}),
      }),
    },
    {
      description,
      nullable: true,
      resolve: async (_root, { input }, context: GraphContext, info) => {
        const { core, caller } = context;
        const effect = effectOf(context, info.path.key, once);
        const given = input as Record<string, unknown>;
        const named = Object.fromEntries(nameEntries.map(([key]) => [key, String(given[key])]));
        const earlier = effect.earlier();
        if (earlier !== undefined) return earlier as never;
        try {
          return (await run({
            core,
            caller,
            named: named as Record<Names, string>,
            draft: readInput(draft ?? NOTHING, given) as Static<Draft>,
            commit: effect.commit,
          })) as never;
        } catch (thrown) {
          const errors = thrown instanceof CoreError ? userErrorsOf(thrown, info) : undefined;
          if (errors) return { errors } as never;
          throw thrown;
        }
      },
    },
    {
      name: `${owner}Payload`,
      description: `What \`${name}\` answers. All but \`errors\` is null where that tells of any.`,
      outputFields: (t) =>
        ({
          ...Object.fromEntries(
            Object.entries<Given>(payload).map(([key, { type, description: words, read }]) => [
              key,
              t.field({
                type: type as never,
                nullable: true as never,
                description: words,
                resolve: (given: object, _args: object, context: GraphContext) => {
                  const value = (given as Record<string, unknown>)[key];
                  return (read && value !== undefined ? read(value as string, context) : value) as never;
                },
              }),
            ]),
          ),
          errors: t.field({
            ...USER_ERRORS,
            resolve: (given: object) => (given as { errors?: never }).errors ?? [],
          }),
        }) as never,
    },
  );
}

/** A builder is named by their handle, everything else by its id. */
function isHandle(key: string): boolean {
  return key === "username";
}

/** The payload of what removes something: its id. */
export const GONE = {
  payload: { deletedId: { type: "ID", description: "What is gone." } },
  show: (_result: unknown, { id }: Shown) => ({ deletedId: id }),
};
