/** The GraphQL settings of the operator. */
export interface GraphRules {
  /** Off: no introspection, no console, and no refusal that tells of a field (docs/threats.md#G05). */
  introspection: boolean;
  /** Documents that are known by their SHA-256 in lower-case hex. */
  documents: ReadonlyMap<string, string>;
  /** Whether no other documents are run. */
  documentsOnly: boolean;
  /** A longer answer is cut off. */
  answerMaxBytes: number;
}

/**
 * Whether there is a page on which people try queries: one that could not read the schema, or run what they
 * type, helps nobody.
 */
export function hasGraphiql(rules: GraphRules): boolean {
  return rules.introspection && !rules.documentsOnly;
}
