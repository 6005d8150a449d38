import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";
import type { CoreError, ErrorDetail, ErrorName } from "../core/base/errors.ts";
import { builder } from "./builder.ts";
import { camel, enumOf } from "./inputs.ts";
import { isIncluded } from "./selections.ts";

/*
 * Errors that a user can fix. The payload of a mutation contains these errors (docs/contract.md#8.5). They
 * are derived from the refusals of REST, in the same way for all mutations.
 */

/**
 * Names of errors that the user can fix with other input, or by reading the object again. Excludes errors
 * about credentials, rights, rate limits and server faults.
 */
const USER_ERROR_NAMES = [
  "bad_request",
  "not_found",
  "conflict",
  "precondition_failed",
  "unprocessable",
] as const satisfies readonly ErrorName[];
type UserErrorName = (typeof USER_ERROR_NAMES)[number];

interface UserError {
  error: UserErrorName;
  code: string;
  message: string;
  params: object | null;
  path: string[];
}

const Name = enumOf("UserErrorName", USER_ERROR_NAMES, "The type of an error, as in REST.", {
  bad_request: "The input breaks a rule.",
  not_found: "The object does not exist, or you may not see it.",
  conflict: "The current state does not allow the operation.",
  precondition_failed: "The object has changed since you read it.",
  unprocessable: "The input is well-formed, but not acceptable.",
});

const UserErrorRef = builder.objectRef<UserError>("UserError").implement({
  description: "An error that you can fix by changing the input.",
  fields: (t) => ({
    error: t.field({
      type: Name,
      description: "The type of the error, as in REST's `error`.",
      resolve: ({ error }) => error,
    }),
    code: t.exposeString("code", {
      description:
        "The exact reason, as in REST's `code`, for example `tags_too_many`. Codes do not change, but new codes may be added.",
    }),
    message: t.exposeString("message", { description: "A sentence that says what to change." }),
    params: t.field({
      type: "JSON",
      nullable: true,
      description: "The values in `message`, by name, so that you can write your own message.",
      resolve: ({ params }) => params,
    }),
    path: t.exposeStringList("path", {
      description:
        "The path of the field in `input`, outermost first. Empty if the error is not about a field.",
    }),
  }),
});

/** The `errors` field of every payload. */
export const USER_ERRORS = {
  type: [UserErrorRef] as [typeof UserErrorRef],
  description:
    "Errors that you can fix by changing the input. Empty if the mutation succeeded. If you do not select this field, these errors are in the top-level `errors` of the response.",
};

/**
 * Returns a refusal as payload errors. Returns `undefined` if the user cannot fix the error, or if the
 * document does not select `errors`.
 */
export function userErrorsOf(refusal: CoreError, info: GraphQLResolveInfo): UserError[] | undefined {
  const error = USER_ERROR_NAMES.find((name) => name === refusal.error);
  if (!error || !selectsErrors(info)) return undefined;
  const details = refusal.details ?? [];
  if (details.length === 0) return [userError(error, refusal, refusal.message, "")];
  return details.map((detail) => userError(error, detail, sentenceOf(detail, refusal), detail.path));
}

function userError(
  error: UserErrorName,
  { code, params }: Pick<CoreError, "code" | "params"> | ErrorDetail,
  message: string,
  path: string,
): UserError {
  return {
    error,
    code,
    message,
    params: params ?? null,
    path: path === "" ? [] : path.split(".").map(camel),
  };
}

/**
 * Returns the message of an error as a complete sentence. The message about an invalid field has no subject,
 * so the field's name is added.
 */
function sentenceOf({ path, message }: ErrorDetail, refusal: CoreError): string {
  if (message === refusal.message) return message;
  return `${path === "" ? "The input" : `\`${path.split(".").map(camel).join(".")}\``} ${message}.`;
}

/** Whether the payload's `errors` are selected and not excluded by `@skip` or `@include`. */
function selectsErrors({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
  const isIn = ({ selections }: SelectionSetNode): boolean =>
    selections.some((node) => {
      if (!isIncluded(node, variableValues)) return false;
      if (node.kind === Kind.FIELD) return node.name.value === "errors";
      if (node.kind === Kind.INLINE_FRAGMENT) return isIn(node.selectionSet);
      const fragment = fragments[node.name.value];
      return fragment !== undefined && isIn(fragment.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }: FieldNode) => selectionSet !== undefined && isIn(selectionSet));
}
