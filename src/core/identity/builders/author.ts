import { Type } from "@sinclair/typebox";
import { fault, refuseFields } from "../../base/errors.ts";
import { DisplayText } from "../../base/view.ts";

/** A builder as the author of content. */
export const AuthorView = Type.Object(
  { username: DisplayText("The username.", "ada"), name: DisplayText("The display name.", "Ada Okafor") },
  { $id: "Author" },
);

/**
 * Text that mail programs and phones turn into a link, after NFKC. Browsers read U+3002 as a dot and `\` as a
 * slash.
 */
const LINK = new RegExp(
  [
    String.raw`:[/\\]{2}`,
    String.raw`(?<![\p{L}\p{N}])www[.\u3002]`,
    String.raw`(?<![\p{L}\p{N}])mailto:\S`,
    // A host with a path: its last label is a word or Punycode, or the host is four numbers.
    String.raw`[\p{L}\p{N}][.\u3002](?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)(?::\d+)?/`,
    String.raw`\p{N}{1,3}(?:[.\u3002]\p{N}{1,3}){3}(?::\d+)?/`,
  ].join("|"),
  "iu",
);
/**
 * Positions after which a word joiner breaks a link: a dot, a colon before text, and a slash before another
 * slash.
 */
const LINKING = /[.\u2024\ufe52\u3002\uff0e\uff61]|:(?=\S)|[/\\](?=[/\\])/gu;
/** An encoded word of RFC 2047. Mail programs decode an encoded word to other text. */
const ENCODED_WORD = /=\?[^?\s]+\?[bq]\?[^?]*\?=/i;

/**
 * Throws bad_request for a new display name with a link or an encoded word, because mail and push
 * notifications show the name to other members. Existing names remain valid.
 */
export function refuseLinkInName(name: string): void {
  const folded = name.normalize("NFKC");
  if (LINK.test(folded) || ENCODED_WORD.test(folded)) throw refuseFields([fault("name", "name_has_link")]);
}

/**
 * Returns a builder's name for text that other programs show, such as mail. Word joiners prevent automatic
 * links. The appended username identifies the member.
 */
export function publicName({ name, username }: { name: string; username: string }): string {
  return `${name.replaceAll(LINKING, "$&\u2060")} (@${username})`;
}

/** The URL parameter for a builder. */
export const USERNAME = {
  name: "username",
  description: "The builder's username without a leading @, in upper or lower case.",
  example: "ada",
};
