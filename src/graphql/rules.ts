/** GraphQL settings of the operator. */
export interface GraphRules {
  /**
   * Whether introspection is allowed. If not, the server also has no console and hides field names in errors
   * (docs/threats.md#G05).
   */
  introspection: boolean;
  /** Trusted documents by their SHA-256 hash in lower-case hex. */
  documents: ReadonlyMap<string, string>;
  /** Whether only trusted documents may run. */
  documentsOnly: boolean;
  /** Maximum size of a response in bytes. */
  answerMaxBytes: number;
}

/**
 * Whether the GraphiQL page is served. The page needs introspection and must be able to send any document.
 */
export function hasGraphiql(rules: GraphRules): boolean {
  return rules.introspection && !rules.documentsOnly;
}
