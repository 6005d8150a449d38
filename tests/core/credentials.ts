/** What a column that holds a credential is called. */
export const CREDENTIAL = /hash|secret|token|password|key$|sealed|salt|nonce/i;
