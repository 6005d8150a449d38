import { openingOf } from "../../ground/title.ts";

/** The beginning of a message on one line, as plain text of at most 140 characters (docs/contract.md#5.7). */
export function previewOf(markdown: string): string {
  return openingOf(markdown, 140);
}
