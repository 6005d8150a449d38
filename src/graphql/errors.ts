import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import { formatError, presentRefusal } from "./refusal.ts";
import { ERRORS_MAX } from "./answer-size.ts";

/** Formats errors found before the operation runs: syntax, validation and variables. */
export function presentRequestErrors(
  errors: readonly GraphQLError[],
  http: RequestContext,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const refused = error.originalError;
    if (!(refused instanceof CoreError)) return formatError(error, "bad_request", error.message, http);
    http.report(refused);
    return presentRefusal(error, refused, http);
  });
}

/**
 * Formats errors of a running operation. Refusals of the core keep their names. Any other error is logged and
 * becomes server_error without details. Returns at most `ERRORS_MAX` errors.
 */
export function presentErrors(
  errors: readonly GraphQLError[],
  http: RequestContext,
): GraphQLFormattedError[] {
  return errors.slice(0, ERRORS_MAX).map((error) => {
    const thrown = error.originalError;
    if (thrown instanceof CoreError) {
      http.report(thrown);
      return presentRefusal(error, thrown, http);
    }
    if (isAboutArguments(thrown)) return formatError(error, "bad_request", error.message, http);
    http.report(thrown ?? error);
    return presentRefusal(error, refuse("fault_of_ours"), http);
  });
}

/**
 * Whether graphql-js refused the arguments of a field while the operation ran. This happens if a required
 * argument is a variable without a value: graphql-js detects this only at the field.
 */
function isAboutArguments(thrown: unknown): boolean {
  return thrown instanceof GraphQLError && thrown.originalError === undefined && thrown.nodes !== undefined;
}
