import { type TObject, Type } from "@sinclair/typebox";
import { addressOf, type OperationRequest, type Write } from "../operations/operation.ts";
import { CoreError } from "../core/base/errors.ts";
import { builder } from "./builder.ts";
import type { GraphContext } from "./context.ts";
import { fieldsOf, readInput } from "./inputs.ts";
import { keyedMutation } from "./idempotency.ts";
import { USER_ERRORS, userErrorsOf } from "./user-errors.ts";

/** One field of a payload. */
interface PayloadField {
  type: unknown;
  description: string;
  /**
   * Reads it anew, where what was run gave but its id: only where it is asked for, and with the rights of
   * whoever reads.
   */
  read?(id: string, context: GraphContext): unknown;
}

const NOTHING = Type.Object({});

/** Path parameters that are names and not ids. */
export const NAME_ARGUMENTS: ReadonlySet<string> = new Set(["username", "tag"]);

/** The fields of a payload from an operation's result. */
interface Shape<Result, Payload extends object, Draft> {
  payload: { readonly [Name in keyof Payload]: PayloadField };
  /** The result as the payload has it: under the payload's first name, unless this says otherwise. */
  show?(result: Result, asked: OperationRequest): Payload;
  /** Where the graph takes another draft than REST: its schema, and what it says in the operation's words. */
  draft?: TObject;
  read?(given: never): Draft;
}

/**
 * The mutation of an operation of the table, in Relay's form: one `input`, one payload, both with
 * `clientMutationId`. Its name, words, draft, scope and effect are said there. What REST does by POST is done
 * once for each Idempotency-Key, and kept as JSON. The parameter in REST's path is a field of the input:
 * `username` for a builder, `tag` for a tag, `id` for anything else.
 */
export function mutationOf<Draft, Result, Payload extends object>(
  op: Write<Draft, Result>,
  { payload, show, draft = op.draft, read }: Shape<Result, Payload, Draft>,
): void {
  const owner = op.id.slice(0, 1).toUpperCase() + op.id.slice(1);
  const name = op.param && (NAME_ARGUMENTS.has(op.param.name) ? op.param.name : "id");
  const [first = ""] = Object.keys(payload);
  const onceFor = addressOf(op).method === "POST" ? op.scope : undefined;
  builder.relayMutationField(
    op.id,
    {
      name: `${owner}Input`,
      description: `The input of \`${op.id}\`.`,
      inputFields: (t) => ({
        ...(name &&
          op.param && {
            [name]: t.field({
              type: NAME_ARGUMENTS.has(name) ? "String" : "ID",
              required: true,
              description: op.param.description,
            }),
          }),
        ...(draft ? fieldsOf((words) => t.field(words), draft, owner) : {}),
      }),
    },
    {
      description: [`${op.summary}.`, op.description, `Requires the \`${op.scope}\` scope.`]
        .filter(Boolean)
        .join(" "),
      nullable: true,
      resolve: async (_root, { input }, context: GraphContext, info) => {
        const effect = keyedMutation(context, info.path.key, onceFor);
        const earlier = effect.earlier();
        if (earlier !== undefined) return earlier as never;
        try {
          const given = input as Record<string, unknown>;
          const asked = { core: context.core, caller: context.caller, id: name ? String(given[name]) : "" };
          const sent = readInput(draft ?? NOTHING, given);
          const drafted = (read ? read(sent as never) : sent) as Draft;
          const prepared = (op.prepare ? await op.prepare({ ...asked, draft: drafted }) : drafted) as Draft;
          return (await effect.commit((caller) => {
            const result = op.run({ ...asked, caller, draft: prepared });
            return show ? show(result, { ...asked, caller }) : { [first]: result };
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
      description: `The payload of \`${op.id}\`. If \`errors\` is not empty, all other fields except \`clientMutationId\` are \`null\`.`,
      outputFields: (t) =>
        ({
          ...Object.fromEntries(
            Object.entries<PayloadField>(payload).map(([key, { type, description: words, read: reread }]) => [
              key,
              t.field({
                type: type as never,
                nullable: true as never,
                description: words,
                resolve: (given: object, _args: object, context: GraphContext) => {
                  const value = (given as Record<string, unknown>)[key];
                  return (reread && value !== undefined ? reread(value as string, context) : value) as never;
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

/** The payload of what removes something: its id. */
export const DELETED_PAYLOAD = {
  payload: { deletedId: { type: "ID", description: "The identifier of the deleted object." } },
  show: (_result: unknown, { id }: OperationRequest) => ({ deletedId: id }),
};
