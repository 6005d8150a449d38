import { ruled, Word } from "../../base/check.ts";
import { refuse } from "../../base/errors.ts";

const PATTERN = "^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$";

/** Names that are addresses of the site or words of the API, so that no builder's page hides one of them. */
const RESERVED: ReadonlySet<string> = new Set(
  `me admin api graphql v1 oauth settings sign-in sign-up sign-out setup posts jobs prompts builders profiles messages docs feed
   webhooks deliveries events healthz readyz metrics assets static favicon about community nodeinfo logo robots well-known guildhall operator system
   administrator moderator staff support`.split(/\s+/),
);

export const Username = Word(PATTERN, ruled("not_username"), { maxLength: 32, examples: ["ada"] });

/**
 * The form under which a handle is stored and compared. Only ASCII is folded: no other alphabet can look
 * alike.
 */
export function foldUsername(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether the site itself has that name. */
export function isReserved(username: string): boolean {
  return RESERVED.has(username);
}

/** Throws unprocessable for a name that is taken by the site itself. */
export function refuseReserved(username: string): void {
  if (isReserved(username)) throw refuse("username_reserved");
}

/**
 * Whether a username that is typed to confirm an act is this one; capitals, blanks around it and an @ do not
 * count.
 */
export function confirmsUsername(username: string, typed: string): boolean {
  return foldUsername(typed.trim().replace(/^@/, "")) === username;
}
