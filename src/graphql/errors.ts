import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { CoreError } from "../core/errors.ts";
import type { Visit } from "../http/visit.ts";
import { present, UNTOLD } from "./refusal.ts";

/** A list of a hundred thousand refusals helps nobody. */
const ERRORS_MAX = 50;

/** What is wrong with a request before anything of it runs: its text, its form, its variables. */
export function presentRequestErrors(errors: readonly GraphQLError[], visit: Visit): GraphQLFormattedError[] {
  return errors.map((error) => present(error, "bad_request", error.message, visit));
}

/**
 * What went wrong while it ran: refusals of the core under their names of §7, and whatever else was thrown as server_error, logged
 * and with nothing of its insides. One refusal of many fields is told as often as it fits.
 */
export function presentErrors(errors: readonly GraphQLError[], visit: Visit): GraphQLFormattedError[] {
  return errors.slice(0, ERRORS_MAX).map((error) => {
    const thrown = error.originalError;
    if (thrown instanceof CoreError)
      return present(error, thrown.code, thrown.message, visit, thrown.details);
    if (isAboutArguments(thrown)) return present(error, "bad_request", error.message, visit);
    visit.report(thrown ?? error);
    return present(error, "server_error", UNTOLD, visit);
  });
}

/** A variable that was left out where an argument needs it shows only when the field is reached. */
function isAboutArguments(thrown: unknown): boolean {
  return thrown instanceof GraphQLError && thrown.originalError === undefined && thrown.nodes !== undefined;
}
