import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import { present, presentRefusal } from "./refusal.ts";
import { ERRORS_MAX } from "./answer-size.ts";

/** The errors of a request before it runs: syntax, validation, variables. */
export function presentRequestErrors(
  errors: readonly GraphQLError[],
  http: RequestContext,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const refused = error.originalError;
    if (!(refused instanceof CoreError)) return present(error, "bad_request", error.message, http);
    http.report(refused);
    return presentRefusal(error, refused, http);
  });
}

/**
 * What went wrong while it ran: refusals of the core under their names, and whatever else was thrown as
 * server_error, logged and with nothing of its insides. One refusal of many fields is told as often as it
 * fits.
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
    if (isAboutArguments(thrown)) return present(error, "bad_request", error.message, http);
    http.report(thrown ?? error);
    return presentRefusal(error, refuse("fault_of_ours"), http);
  });
}

/** A variable that was left out where an argument needs it shows only when the field is reached. */
function isAboutArguments(thrown: unknown): boolean {
  return thrown instanceof GraphQLError && thrown.originalError === undefined && thrown.nodes !== undefined;
}
