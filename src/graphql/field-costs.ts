/** Costs of fields, in tenths of an object. */
export const FIELD_COST = {
  /** Cost of a connection without its nodes. Even a short page needs a query of the database. */
  list: 100,
  /**
   * Cost of counting a list. A top-level list is counted up to a thousand rows, a list of a node up to a
   * hundred.
   */
  count: 500,
  /** Cost of a search term. A term that matches many rows takes up to 20 ms. */
  search: 1_000,
  object: 10,
  leaf: 1,
} as const;

/** Number of characters of text that cost as much as one object. */
const CHARACTERS_PER_OBJECT = 5_000;
/**
 * Number of characters of rendered Markdown that cost as much as one object. In the worst case, a thousand
 * characters take milliseconds to render.
 */
const CHARACTERS_PER_RENDERING = 400;

/** Maximum length of long text fields in characters, from the core's rules. */
const CHARACTERS_MAX: Readonly<Record<string, number>> = {
  "Attempt.answer": 1_000,
  "Builder.bio": 500,
  "Builder.links": 8_192,
  "Event.data": 25_000,
  "Job.applyUrl": 2_048,
  "Job.description": 20_000,
  "JobFilter.q": 1_000,
  "Message.text": 4_000,
  "Picture.alt": 500,
  "Picture.srcset": 1_000,
  "Post.media": 8_192,
  "Post.text": 2_000,
  "Project.description": 1_000,
  "SearchResult.snippet": 600,
  "Project.descriptionHtml": 4_000,
  "Project.url": 2_048,
  "Prompt.body": 20_000,
  "PromptVersion.body": 20_000,
  "WebhookEndpoint.url": 2_048,
};

/**
 * The fields of a connection that require a count of the list. If a document selects both fields, the count
 * is charged once.
 */
export const COUNT_FIELDS: ReadonlySet<string> = new Set(["totalCount", "isTotalExact"]);

/** Maximum lengths of lists that are long and have no pages. */
const LENGTHS: Readonly<Record<string, number>> = {
  "Query.categories": 100,
  "Query.cities": 100,
  "Query.models": 100,
  "Query.stacks": 100,
  "Query.tags": 100,
};
/**
 * Assumed length of all other lists without pages. Most of them are short, because one member maintains them.
 */
const PLAIN_LIST = 10;

/**
 * Returns the cost of a field without subfields, in tenths of an object. A text is charged by its maximum
 * length.
 */
export function leafCost(type: string, field: string): number {
  const isRendered = isRenderedText(field);
  const characters = CHARACTERS_MAX[`${type}.${isRendered ? field.slice(0, -"Html".length) : field}`] ?? 0;
  const perObject = isRendered ? CHARACTERS_PER_RENDERING : CHARACTERS_PER_OBJECT;
  return Math.max(FIELD_COST.leaf, Math.ceil((characters * FIELD_COST.object) / perObject));
}

/** Whether a field is rendered from Markdown on request. */
export function isRenderedText(field: string): boolean {
  return field.endsWith("Html");
}

export function lengthOfList(type: string, field: string): number {
  return LENGTHS[`${type}.${field}`] ?? PLAIN_LIST;
}

/**
 * Cost of one object of the schema in introspection, in tenths of an object. The cost is low because the
 * schema is in memory. `INTROSPECTION_LENGTHS` has the average list lengths of this schema. The introspection
 * query of common tools costs about 2,000 units.
 */
export const INTROSPECTION_COST = 1;
export const INTROSPECTION_LENGTHS: Readonly<Record<string, number>> = {
  types: 200,
  fields: 3,
  directives: 5,
  ofType: 0.5,
};

/** Whether a field takes more work than reading its row. An operation with such fields runs with pauses. */
export function isExpensiveField(type: string, field: string, typeOfField: string): boolean {
  const name = `${type}.${field}`;
  return (
    name in CHARACTERS_MAX || name in LENGTHS || isRenderedText(field) || typeOfField.endsWith("Connection")
  );
}
