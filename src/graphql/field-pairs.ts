import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from "graphql";

/**
 * Number of pairs of fragments that count like one pair of fields. Measured: graphql-js compares ten pairs of
 * fragments in the time that it needs for one pair of fields with subfields.
 */
const FRAGMENT_PAIRS = 10;

/**
 * Counts the comparisons that graphql-js makes to validate a document. The limit is needed because comparing
 * three hundred copies of one field takes longer than parsing the document.
 * In each selection of operations and fragments, counts two kinds of pairs: fields with the same response
 * name, and spread fragments. Stops when the count exceeds `most`. The document must have no circular
 * fragments.
 */
export function fieldPairsOf(
  document: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  most: number,
): number {
  let pairs = 0;
  /**
   * Number of visited fields. Visiting also stops at `most`, because many operations may spread one large
   * fragment.
   */
  let visits = 0;
  const isEnough = (): boolean => pairs > most || visits > most;
  /** Number of fragment spreads in the current selection, including repeated spreads. */
  let spreads = 0;

  const collect = (
    { selections }: SelectionSetNode,
    byName: Map<string, FieldNode[]>,
    spread: Set<string>,
  ): void => {
    for (const selection of selections) {
      if (isEnough()) return;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const known = byName.get(name) ?? [];
        visits++;
        pairs += known.length;
        known.push(selection);
        byName.set(name, known);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, byName, spread);
      else {
        pairs += spreads++ / FRAGMENT_PAIRS;
        if (spread.has(selection.name.value)) continue;
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet, byName, spread);
      }
    }
  };

  const collectFields = (sets: readonly SelectionSetNode[]): void => {
    const byName = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    spreads = 0;
    for (const set of sets) collect(set, byName, spread);
    for (const fields of byName.values()) {
      if (isEnough()) return;
      const inner = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) collectFields(inner);
    }
  };

  for (const definition of document.definitions)
    if ("selectionSet" in definition && !isEnough()) collectFields([definition.selectionSet]);
  return Math.max(pairs, visits);
}
