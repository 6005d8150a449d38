import Negotiator from "negotiator";
import { type Language, LANGUAGES } from "../../core/base/locales.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import type { Words } from "./words.ts";

/*
 * To add a language: its name in LANGUAGES (src/core/base/locales.ts), a catalogue beside en.ts
 * (`export const de: Words`), and here what it calls itself and its catalogue.
 */

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
};

const CATALOGUES: Readonly<Record<Language, Words>> = { en, de, es };

/** Every word in a language. */
export function wordsIn(language: Language): Words {
  return CATALOGUES[language];
}

/** What goes out says: mails and pushes. */
export function sayingsIn(language: Language) {
  const { mails, reach, told, forms } = wordsIn(language);
  return { ...mails, ...reach.push, sentence: told.sentence, moment: forms.moment };
}

export function isLanguage(name: unknown): name is Language {
  return LANGUAGES.includes(name as Language);
}

/**
 * What somebody is answered in: what they have chosen, else what their browser asks for (`Accept-Language`, RFC
 * 9110 §12.5.4: `de-AT` is answered in German), else what the community speaks.
 */
export function choose(
  chosen: readonly (string | null | undefined)[],
  accepted: string | null,
  community: Language,
): Language {
  const own = chosen.find(isLanguage);
  if (own !== undefined) return own;
  // Whoever takes any gets the community's.
  const offered = [community, ...LANGUAGES];
  const asked = accepted && new Negotiator({ headers: { "accept-language": accepted } }).language(offered);
  return isLanguage(asked) ? asked : community;
}
