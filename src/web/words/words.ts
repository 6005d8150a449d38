import type { en } from "./en.ts";

/**
 * Every word that the pages say, in one language (docs/adr/0048-one-catalogue-of-words.md). English is the
 * measure: a word that another language lacks is a type error.
 */
export type Words = typeof en;
