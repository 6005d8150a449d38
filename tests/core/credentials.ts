/** Matches names of columns that may hold a credential. */
export const CREDENTIAL = /hash|secret|token|password|key$|sealed|salt|nonce/i;
