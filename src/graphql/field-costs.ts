/** The cost of one field, in tenths of an object. */
export const FIELD_COST = {
  /** A connection, beside its nodes: looking for them is work, also where the page is short. */
  list: 100,
  /** To count it is to walk it: a hundred rows of a list of a node, a thousand of one at the top. */
  count: 500,
  /** Words to search for, which may be wide: up to twenty milliseconds. */
  search: 1_000,
  object: 10,
  leaf: 1,
} as const;

/** The letters of a text that cost as much as one object. */
const LETTERS_OF_AN_OBJECT = 5_000;
/** The same for text rendered from Markdown: a thousand hostile letters take milliseconds. */
const LETTERS_OF_MARKDOWN = 400;

/** The largest length of long text fields, from the rules of the core. */
const LETTERS: Readonly<Record<string, number>> = {
  "Attempt.answer": 1_000,
  "Builder.bio": 500,
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

/** The fields of a connection that count it. They are charged once together. */
export const COUNT_FIELDS: ReadonlySet<string> = new Set(["totalCount", "isTotalExact"]);

/** The lengths of long plain lists. */
const LENGTHS: Readonly<Record<string, number>> = {
  "Query.categories": 100,
  "Query.cities": 100,
  "Query.models": 100,
  "Query.stacks": 100,
  "Query.tags": 100,
};
/** A list without pages is as long as its owner made it; most are short. */
const PLAIN_LIST = 10;

/** The cost of a leaf, in tenths of an object. A text costs as much as the longest allowed. */
export function leafCost(type: string, field: string): number {
  const isMade = isRenderedText(field);
  const letters = LETTERS[`${type}.${isMade ? field.slice(0, -"Html".length) : field}`] ?? 0;
  const lettersOfAnObject = isMade ? LETTERS_OF_MARKDOWN : LETTERS_OF_AN_OBJECT;
  return Math.max(FIELD_COST.leaf, Math.ceil((letters * FIELD_COST.object) / lettersOfAnObject));
}

/** Whether a field is rendered from Markdown on request. */
export function isRenderedText(field: string): boolean {
  return field.endsWith("Html");
}

export function lengthOfList(type: string, field: string): number {
  return LENGTHS[`${type}.${field}`] ?? PLAIN_LIST;
}

/**
 * Introspection: what the schema tells of itself lies in memory, so each of its objects costs a tenth, and
 * its lists are as long as they are here on the average. The query that tools send costs about 2,000.
 */
export const INTROSPECTION_COST = 1;
export const INTROSPECTION_LENGTHS: Readonly<Record<string, number>> = {
  types: 200,
  fields: 3,
  directives: 5,
  ofType: 0.5,
};

/**
 * Whether it is work to give it out, other than what its rows are: then it waits in the queue of what is
 * expensive.
 */
export function isExpensiveField(type: string, field: string, typeOfField: string): boolean {
  const name = `${type}.${field}`;
  return name in LETTERS || name in LENGTHS || isRenderedText(field) || typeOfField.endsWith("Connection");
}
