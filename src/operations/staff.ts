/** Scopes of operations of moderators. */
export const STAFF = { scope: "moderation", orScopes: ["admin"] } as const;

/** The parameter of operations on one decision. */
export const A_DECISION = {
  name: "id",
  description: "The identifier of the decision.",
  example: "dec_01kafzq8e5f2r8v0j3n6s1t4wx",
};
