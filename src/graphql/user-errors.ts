import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from "graphql";
import type { CoreError, ErrorDetail, ErrorName } from "../core/base/errors.ts";
import { builder } from "./builder.ts";
import { camel, enumOf } from "./inputs.ts";
import { isIncluded } from "./selections.ts";

/*
 * What a person can mend, told where the program that asks for them looks for it: in the payload
 * (docs/contract.md#8.5). Derived here from the same refusals as REST's, once for all mutations.
 */

/**
 * What another input, or another look at what is there, can mend. Credentials, rights, rates and our own
 * faults are not among them.
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

const Name = enumOf("UserErrorName", USER_ERROR_NAMES, "The name that REST gives a refusal.", {
  bad_request: "The input breaks a rule.",
  not_found: "What it names is not there, or not the caller's to see.",
  conflict: "Things are not in the state that it needs.",
  precondition_failed: "Things have changed since they were read.",
  unprocessable: "The input is well-formed, and means what cannot be.",
});

const UserErrorRef = builder.objectRef<UserError>("UserError").implement({
  description: "Why a mutation was refused, where another input can mend it.",
  fields: (t) => ({
    error: t.field({ type: Name, description: "As in REST's `error`.", resolve: ({ error }) => error }),
    code: t.exposeString("code", {
      description: "Finer, and as stable, as in REST's `code`: `tags_too_many`. More may come.",
    }),
    message: t.exposeString("message", { description: "A sentence that says what to change." }),
    params: t.field({
      type: "JSON",
      nullable: true,
      description: "What stands in the sentence's places, by name: enough to say it in other words.",
      resolve: ({ params }) => params,
    }),
    path: t.exposeStringList("path", {
      description:
        "The field of `input` that it is about, from the outermost in; empty where it is about none.",
    }),
  }),
});

/** The field of every payload. */
export const USER_ERRORS = {
  type: [UserErrorRef] as [typeof UserErrorRef],
  description:
    "Why nothing was done, where another input can mend it; empty where it was done. Only who asks for this field is told so here; otherwise it is an error of the answer, as all other refusals are.",
};

/** The refusal as errors of the payload, where it can be mended and the document asks for them there. */
export function userErrorsOf(refusal: CoreError, info: GraphQLResolveInfo): UserError[] | undefined {
  const error = USER_ERROR_NAMES.find((name) => name === refusal.error);
  if (!error || !asksForErrors(info)) return undefined;
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
 * The sentence of a field that breaks a rule begins with its name; that of a refusal about one field is
 * whole.
 */
function sentenceOf({ path, message }: ErrorDetail, refusal: CoreError): string {
  if (message === refusal.message) return message;
  return `${path === "" ? "The input" : `\`${path.split(".").map(camel).join(".")}\``} ${message}.`;
}

/** Whether `errors` is among what is asked of the payload, and not left out by `@skip` or `@include`. */
function asksForErrors({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): boolean {
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
