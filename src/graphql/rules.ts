/** GraphQL settings of the operator. */
export interface GraphRules {
  /** If false: no introspection, no console, and no error that names a field (docs/threats.md#G05). */
  introspection: boolean;
  /** Trusted documents by their SHA-256 in lower-case hex. */
  documents: ReadonlyMap<string, string>;
  /** Whether only trusted documents may run. */
  documentsOnly: boolean;
  /** Maximum size of a response in bytes. */
  answerMaxBytes: number;
}

/** Whether the GraphiQL page is served. It needs introspection and arbitrary documents to be of use. */
export function hasGraphiql(rules: GraphRules): boolean {
  return rules.introspection && !rules.documentsOnly;
}
