/**
 * The languages of pages, mails and push notifications, as BCP 47 names them. Each has its messages in
 * locales/, in a folder of its name.
 */
export const LANGUAGES = ["en", "de", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(name: unknown): name is Language {
  return LANGUAGES.includes(name as Language);
}
