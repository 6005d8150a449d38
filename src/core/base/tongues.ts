/** The languages that pages, mails and pushes are said in, as BCP 47 names them. */
export const LANGUAGES = ["en", "de", "es"] as const;
export type Language = (typeof LANGUAGES)[number];
