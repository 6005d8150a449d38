import { ruled, PatternText } from "../../base/check.ts";
import { refuse } from "../../base/errors.ts";

const PATTERN = "^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$";

/**
 * Names that are paths of the site or words of the API. These names are reserved, so that a builder's page
 * never hides a page of the site.
 */
const RESERVED: ReadonlySet<string> = new Set(
  `me admin api graphql v1 oauth settings sign-in sign-up sign-out setup posts jobs prompts builders profiles messages docs feed
   webhooks deliveries events healthz readyz metrics assets static favicon about community nodeinfo logo robots well-known guildhall operator system
   administrator moderator staff support`.split(/\s+/),
);

export const Username = PatternText(PATTERN, ruled("not_username"), { maxLength: 32, examples: ["ada"] });

/**
 * Returns the form in which a handle is stored and compared. Folds only ASCII, because usernames have no
 * other letters.
 */
export function foldUsername(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the username in a text that a person typed, without blanks around it and a leading @. */
export function typedUsername(text: string): string {
  return foldUsername(text.trim().replace(/^@/, ""));
}

/** Whether the site itself uses the name. */
export function isReserved(username: string): boolean {
  return RESERVED.has(username);
}

/** Throws unprocessable for a name that the site itself uses. */
export function refuseReserved(username: string): void {
  if (isReserved(username)) throw refuse("username_reserved");
}

/**
 * Whether a typed confirmation matches the username. Letter case, surrounding blanks and an @ are ignored.
 */
export function confirmsUsername(username: string, typed: string): boolean {
  return typedUsername(typed) === username;
}
