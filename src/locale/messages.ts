import type { Language } from "../core/base/locales.ts";
import { CATALOGUES, type Messages } from "../../locales/compiled/index.ts";
import { type Formats, formatsOf } from "./formats.ts";

export type { Messages } from "../../locales/compiled/index.ts";

/** All messages and formats of one language. */
export interface LocaleMessages extends Messages {
  language: Language;
  formats: Formats;
}

const LOADED = new Map<Language, LocaleMessages>();

/** Returns the messages of a language. Loads them on first use, because a start needs none of them. */
export function messagesOf(language: Language): LocaleMessages {
  const loaded = LOADED.get(language);
  if (loaded) return loaded;
  const messages = { ...CATALOGUES[language], language, formats: formatsOf(language) };
  LOADED.set(language, messages);
  return messages;
}
