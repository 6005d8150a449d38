import { type Language, LANGUAGES } from "../core/base/locales.ts";
import { CATALOGUES, type Messages } from "../../locales/compiled/index.ts";
import { type Formats, formatsOf } from "./formats.ts";

export type { Messages } from "../../locales/compiled/index.ts";

/** All messages and formats of one language. */
export interface LocaleMessages extends Messages {
  language: Language;
  formats: Formats;
}

const BY_LANGUAGE = new Map(
  LANGUAGES.map((language): [Language, LocaleMessages] => [
    language,
    { ...CATALOGUES[language], language, formats: formatsOf(language) },
  ]),
);

export function messagesOf(language: Language): LocaleMessages {
  return BY_LANGUAGE.get(language) as LocaleMessages;
}
