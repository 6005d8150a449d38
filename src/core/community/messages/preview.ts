import { plainText, shorten } from "../../ground/title.ts";

/** At most 140 characters of plain text (docs/contract.md#5.7). */
const PREVIEW_MAX = 140;

/** The beginning of a message on one line, as plain text: its Markdown without the marks. */
export function previewOf(markdown: string): string {
  let preview = "";
  for (const line of markdown.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const text = plainText(line);
    if (text !== "") preview += preview === "" ? text : ` ${text}`;
    // Two units a character at most: the rest would be cut off.
    if (preview.length > 2 * PREVIEW_MAX) break;
  }
  return shorten(preview === "" ? markdown.trim() : preview, PREVIEW_MAX);
}
