import { foldText } from "./text-folding.ts";

/**
 * Slugs are a to z, digits, `-` and `.` (docs/contract.md#2.6): what people type for tags, stacks, models and
 * cities is understood as one here, once for every form. REST and GraphQL take slugs alone, and say which one
 * a well-known name has.
 */

/** Names whose signs carry their meaning. */
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
 * The slug of a well-known name; undefined for any other text. It repeats nothing of a text that is none
 * (docs/contract.md#1.3).
 */
export function slugOfName(text: string): string | undefined {
  return NAMES.get(text.trim().toLowerCase());
}

/**
 * One name as a slug: «São Paulo» is sao-paulo, «C++» cpp, «Łódź» lodz. Empty for one that has no letter from
 * a to z and no digit.
 */
export function slugOf(text: string): string {
  const folded = text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/^#+(?=.)/u, "");
  const plain = foldText(folded).normalize("NFKD").replaceAll(/\p{M}/gu, "");
  // Part of it in another alphabet: what is left would be another name.
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
 * Several names between blanks, commas or hash signs, each once: «C++, Node.js #rust» is cpp, node.js, rust.
 * A name that has no slug stays as it is, for the schema to refuse.
 */
export function slugsOf(text: string): string[] {
  const names = text
    .normalize("NFKC")
    .replaceAll(/#(?=[\p{L}\p{N}])/gu, " ")
    .split(/[\s,;、]+/u)
    .filter((name) => /[^#]/u.test(name));
  return [...new Set(names.map((name) => slugOf(name) || name))];
}
