import { foldText } from "./text-folding.ts";

/**
 * Converts what people type as tags, stacks, models and cities to slugs. A slug has a to z, digits, `-` and
 * `.` (docs/contract.md#2.6). All HTML forms convert input. REST and GraphQL accept only slugs. If the
 * rejected input is a well-known name, the error contains the slug of that name.
 */

/** Names whose punctuation carries meaning, with their slugs. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["f#", "fsharp"],
  ["j#", "jsharp"],
  ["q#", "qsharp"],
  ["x++", "xpp"],
  ["g++", "gpp"],
  ["objective-c++", "objective-cpp"],
  ["c/c++", "cpp"],
  [".net", "dotnet"],
  ["a*", "a-star"],
  ["c--", "c-minus-minus"],
]);

/**
 * Returns the slug of a well-known name; undefined for any other text. Error messages may show the slug,
 * because it never repeats other input (docs/contract.md#1.3).
 */
export function slugOfName(text: string): string | undefined {
  return NAMES.get(text.trim().toLowerCase());
}

/**
 * Converts a name to a slug: “São Paulo” to sao-paulo, “C++” to cpp, “Łódź” to lodz. Returns an empty string
 * for a name without a letter from a to z and without a digit.
 */
export function slugOf(text: string): string {
  const folded = text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/^#+(?=.)/u, "");
  const plain = foldText(folded).normalize("NFKD").replaceAll(/\p{M}/gu, "");
  // The name is partly in another alphabet. Without that part, the slug would be a different name.
  if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(plain)) return "";
  return (
    NAMES.get(folded) ??
    plain
      .replaceAll(/['’]/g, "")
      .replaceAll("&", "-and-")
      .replace(/\+\+$/, "pp")
      .replace(/\+$/, "-plus")
      .replace(/#$/, "-sharp")
      .replaceAll(/[^a-z0-9.]+/g, "-")
      .replaceAll(/[-.]*-[-.]*|\.{2,}/g, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, "")
  );
}

/**
 * Converts several names, separated by blanks, commas or hash signs, without duplicates: “C++, Node.js #rust”
 * to cpp, node.js, rust. A name without a slug is returned unchanged, and the schema rejects it.
 */
export function slugsOf(text: string): string[] {
  const names = text
    .normalize("NFKC")
    .replaceAll(/#(?=[\p{L}\p{N}])/gu, " ")
    .split(/[\s,;、]+/u)
    .filter((name) => /[^#]/u.test(name));
  return [...new Set(names.map((name) => slugOf(name) || name))];
}
