import { Type } from "@sinclair/typebox";
import { fault, refuseFields } from "../../base/errors.ts";
import { Shown } from "../../base/view.ts";

/** A builder as what they wrote shows them. */
export const AuthorView = Type.Object(
  { username: Shown("The username.", "ada"), name: Shown("The display name.", "Ada Okafor") },
  { $id: "Author" },
);

/** What mail programs and phones make a link of, after NFKC. U+3002 is a dot to browsers, and `\` a slash. */
const LINK = new RegExp(
  [
    String.raw`:[/\\]{2}`,
    String.raw`(?<![\p{L}\p{N}])www[.\u3002]`,
    String.raw`(?<![\p{L}\p{N}])mailto:\S`,
    // A host with a path: its last label is a word, or in Punycode; or four numbers.
    String.raw`[\p{L}\p{N}][.\u3002](?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)(?::\d+)?/`,
    String.raw`\p{N}{1,3}(?:[.\u3002]\p{N}{1,3}){3}(?::\d+)?/`,
  ].join("|"),
  "iu",
);
/**
 * Where a word joiner goes in: behind a dot, a colon that something follows, and a slash that another one
 * follows.
 */
const LINKING = /[.\u2024\ufe52\u3002\uff0e\uff61]|:(?=\S)|[/\\](?=[/\\])/gu;
/** A word of RFC 2047, which mail programs decode into other letters. */
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?[^?]*\?=/i;

/**
 * Throws bad_request for a new display name that holds a link or an encoded word: mail and pushes of the
 * community show it to others. A name that its owner has already stays.
 */
export function refuseLinkInName(name: string): void {
  const folded = name.normalize("NFKC");
  if (LINK.test(folded) || ENCODED_WORD.test(folded)) throw refuseFields([fault("name", "name_has_link")]);
}

/**
 * A builder's name in text that other programs show, such as mail. Word joiners keep them from making a link
 * of it, and the username says whose name it is.
 */
export function publicName({ name, username }: { name: string; username: string }): string {
  return `${name.replaceAll(LINKING, "$&\u2060")} (@${username})`;
}

/** Names a builder in an address. */
export const USERNAME = {
  name: "username",
  description: "The builder's username without a leading @, in upper or lower case.",
  example: "ada",
};
