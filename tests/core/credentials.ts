export const CREDENTIAL = /hash|secret|token|password|key$|sealed|salt|nonce/i;
