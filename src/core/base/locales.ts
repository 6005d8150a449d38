/**
 * Languages of pages, mail and push notifications, as BCP 47 tags. Each has a folder of messages in locales/.
 */
export const LANGUAGES = ["en", "de", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(name: unknown): name is Language {
  return LANGUAGES.includes(name as Language);
}
