import { foldLookAlikes, foldText } from "./text-folding.ts";
import { transliterate } from "./transliteration.ts";

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

/** Slugs that an error of the API may suggest for another spelling of their name, such as `Node.js`. */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  [
    "ada ai android angular api apl asp.net aws azure bash bun c ci-cd clojure cobol crystal css dart deno",
    "devops django docker elixir elm erlang flutter fortran git github go golang graphql haskell html http",
    "ios java javascript julia kotlin kubernetes laravel linux lisp llm lua machine-learning macos matlab",
    "mongodb mysql next.js nim nix node.js nodejs nuxt.js objective-c ocaml open-source perl php postgres",
    "postgresql prolog python pytorch r r-and-d rails react react-native redis rest ruby ruby-on-rails rust",
    "scala scheme shell spring sql sqlite svelte swift tailwind terraform typescript ui ux vue vue.js wasm",
    "web webassembly webgl webgpu windows zig",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Returns the slug of a well-known name; undefined for any other text. Error messages may show the slug,
 * because it never repeats other input (docs/contract.md#1.3).
 */
export function slugOfName(text: string): string | undefined {
  // No name is longer, and the text may have any length.
  if (text.length > 40) return undefined;
  const slug = slugOf(text);
  return WELL_KNOWN.has(slug) || [...NAMES.values()].includes(slug) ? slug : undefined;
}

/** No slug that the schema accepts has a longer name, in UTF-16 code units. Longer texts would cost time. */
const NAME_MAX = 500;
/** Names of a list that are converted. A list with more distinct names is refused. */
const NAMES_MAX = 100;

/**
 * Converts a name to a slug: “São Paulo” to sao-paulo, “C++” to cpp, “Łódź” to lodz, “Привет” to privet.
 * Returns an empty string for a name without a letter and without a digit.
 */
export function slugOf(text: string): string {
  if (text.length > NAME_MAX) return "";
  const name = text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replaceAll("♯", "#")
    .replace(/^#+(?=.)/u, "");
  if (!/[\p{L}\p{N}]/u.test(name)) return "";
  const words = nameSlug(name) ?? name.split(/([\s/]+)/u).map((word) => nameSlug(word) ?? word);
  return typeof words === "string" ? words : plainSlug(words.join(""));
}

/** A keyboard in another alphabet types a look-alike of the C in “C++”. */
function nameSlug(name: string): string | undefined {
  return NAMES.get(name) ?? NAMES.get(foldLookAlikes(name));
}

function plainSlug(name: string): string {
  return foldText(withLatinLetters(name))
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’`]/gu, "")
    .replaceAll("&", "-and-")
    .replaceAll(/\+\+(?=[\d\s/]|$)/g, "pp")
    .replace(/\+$/, "-plus")
    .replace(/#$/, "-sharp")
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/[-.]*-[-.]*|\.{2,}/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
}

/** Letters of other scripts, with their marks. Latin letters keep their own rules. */
const OTHER_LETTERS = /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]+/gu;

function withLatinLetters(name: string): string {
  return name.replaceAll(OTHER_LETTERS, (letters) => transliterate(letters).toLowerCase());
}

/**
 * Converts several names, separated by blanks, commas or hash signs, without duplicates: “C++, Node.js #rust”
 * to cpp, node.js, rust. A name without a slug is returned unchanged, and the schema rejects it.
 */
export function slugsOf(text: string): string[] {
  return [...new Set(spelledTags(text).map(({ slug }) => slug))];
}

/** Returns each of several names as it was typed, with its slug. */
export function spelledTags(text: string): { typed: string; slug: string }[] {
  return text
    .normalize("NFKC")
    .replaceAll(/#(?=[\p{L}\p{N}])/gu, " ")
    .split(/[\s,;、，；]+/u)
    .filter((name) => /[^#]/u.test(name))
    .map((typed, i) => ({ typed, slug: (i < NAMES_MAX && slugOf(typed)) || typed }));
}
