import { type TObject, Type } from "@sinclair/typebox";
import { addressOf, scopeSentence, type OperationRequest, type Write } from "../operations/operation.ts";
import { CoreError } from "../core/base/errors.ts";
import { builder } from "./builder.ts";
import type { GraphContext } from "./context.ts";
import { fieldsOf, readInput } from "./inputs.ts";
import { keyedMutation } from "./idempotency.ts";
import { USER_ERRORS, userErrorsOf } from "./user-errors.ts";

interface PayloadField {
  type: unknown;
  description: string;
  /**
   * Reads the object for this field of the payload, if the operation returned only its id. Runs with the
   * caller's rights, and only if the field is selected.
   */
  read?(id: string, context: GraphContext): unknown;
}

const NOTHING = Type.Object({});

/** Names of the path parameters in REST that contain a name and not an id. */
export const NAME_ARGUMENTS: ReadonlySet<string> = new Set(["username", "tag"]);

/** How the result of an operation is converted to a payload. */
interface Shape<Result, Payload extends object, Draft> {
  payload: { readonly [Name in keyof Payload]: PayloadField };
  /** Converts the result to the payload. By default the result is the payload's first field. */
  toPayload?(result: Result, request: OperationRequest): Payload;
  /** Schema of the input if it differs from REST. `toDraft` converts such input to the operation's draft. */
  draft?: TObject;
  toDraft?(given: never): Draft;
}

/**
 * Registers the mutation of an operation in Relay's form: one `input` and one payload, both with
 * `clientMutationId`. The operation defines its name, descriptions, draft, scope and effect.
 * An operation with the method POST in REST runs once per Idempotency-Key, and its result is stored as JSON.
 * The path parameter in REST is an input field. The input field is named `username` for a builder, `tag` for
 * a tag, and `id` otherwise.
 */
export function mutationOf<Draft, Result, Payload extends object>(
  op: Write<Draft, Result>,
  { payload, toPayload, draft = op.draft, toDraft }: Shape<Result, Payload, Draft>,
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
        ...(draft ? fieldsOf((options) => t.field(options), draft, owner) : {}),
      }),
    },
    {
      description: [`${op.summary}.`, op.description, scopeSentence(op)].filter(Boolean).join(" "),
      nullable: true,
      resolve: async (_root, { input }, context: GraphContext, info) => {
        const effect = keyedMutation(context, info.path.key, onceFor);
        const earlier = effect.earlier();
        if (earlier !== undefined) return earlier as never;
        try {
          const given = input as Record<string, unknown>;
          const request = { core: context.core, caller: context.caller, id: name ? String(given[name]) : "" };
          const sent = readInput(draft ?? NOTHING, given);
          const drafted = (toDraft ? toDraft(sent as never) : sent) as Draft;
          const prepared = (op.prepare ? await op.prepare({ ...request, draft: drafted }) : drafted) as Draft;
          return (await effect.commit((caller) => {
            const result = op.run({ ...request, caller, draft: prepared });
            return toPayload ? toPayload(result, { ...request, caller }) : { [first]: result };
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
            Object.entries<PayloadField>(payload).map(([key, { type, description, read: reread }]) => [
              key,
              t.field({
                type: type as never,
                nullable: true as never,
                description,
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

/** Payload of a delete operation: the deleted id. */
export const DELETED_PAYLOAD = {
  payload: { deletedId: { type: "ID", description: "The identifier of the deleted object." } },
  toPayload: (_result: unknown, { id }: OperationRequest) => ({ deletedId: id }),
};
