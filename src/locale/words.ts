import { type Language, LANGUAGES } from "../core/base/locales.ts";
import { CATALOGUES, type Messages } from "../../locales/compiled/index.ts";
import { type Formats, formatsOf } from "./formats.ts";

export type { Messages } from "../../locales/compiled/index.ts";

/** All messages and formats of one language. */
export interface Words extends Messages {
  language: Language;
  formats: Formats;
}

const WORDS = new Map(
  LANGUAGES.map((language): [Language, Words] => [
    language,
    { ...CATALOGUES[language], language, formats: formatsOf(language) },
  ]),
);

export function wordsIn(language: Language): Words {
  return WORDS.get(language) as Words;
}
