import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  visit,
} from "graphql";
import { type CoreError, refuse } from "../core/base/errors.ts";
import { PAGE_LIMIT } from "../core/base/page.ts";
import { fieldPairsOf } from "./field-pairs.ts";
import {
  COUNT_FIELDS,
  isRenderedText,
  lengthOfList,
  FIELD_COST,
  INTROSPECTION_COST,
  leafCost,
  INTROSPECTION_LENGTHS,
} from "./field-costs.ts";

/**
 * Limits of a document, checked before the operation runs. A fragment counts at each spread. Otherwise a
 * short text could request a lot of data (docs/threats.md#G01).
 */
export const LIMITS = {
  /** Maximum number of tokens. The parser counts tokens and stops at the limit. */
  tokens: 2_000,
  /**
   * Maximum depth of nested fields. Fields below an introspection field do not count, because graphql-js
   * limits their depth.
   */
  depth: 12,
  /** Maximum number of top-level fields. */
  rootFields: 20,
  aliases: 30,
  directives: 30,
  /** Maximum number of fields in total. */
  fields: 1_000,
  /**
   * Maximum number of pairs of fields with the same response name. For example, a field that occurs 140 times
   * reaches the limit. Twenty fragments that each select ten fields of one object also reach the limit. Ten
   * pairs of fragments count as one pair. See `field-pairs.ts`.
   */
  pairs: 10_000,
  /** Maximum cost of one request, in cost units. See `costOf`. */
  cost: 10_000,
  /**
   * Operations above this cost wait in the queue and run with pauses. See `core/base/fair-queue.ts` and
   * `http/scheduler.ts`. Twenty posts with all their fields cost 100.
   */
  queueCost: 300,
  /**
   * Maximum cost of one subscription event, in cost units. The limit is lower than for a query, because a
   * subscription is charged once but sends many events.
   */
  subscriptionCost: 500,
  /**
   * Cost of a write in cost units. 100 cost units take one rate limit token, so a write costs as much as in
   * REST.
   */
  mutationCost: 100,
} as const;

/** Wraps a refusal of the core in a GraphQL error. */
function refused(refusal: CoreError): GraphQLError {
  return new GraphQLError(refusal.message, { originalError: refusal });
}

/** Returns the error of an operation that costs more than `max`. */
export function tooExpensive(cost: number, max: number): GraphQLError {
  return refused(refuse("operation_too_dear", { cost, max }));
}

/** Returns the error of a response that exceeds `max` bytes. */
export function tooLong(max: number, isRead: boolean): GraphQLError {
  return refused(refuse(isRead ? "answer_too_long" : "answer_too_long_written", { max }));
}

const REFUSAL_OF = {
  depth: "document_too_deep",
  aliases: "aliases_too_many",
  directives: "directives_too_many",
  fields: "fields_too_many",
} as const;

interface Size {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
}

/**
 * Returns the error for the first limit that a document exceeds. Returns `undefined` if the document is
 * within all limits. This function stays fast for any document, because it stops at the limits.
 */
export function oversize(document: DocumentNode): GraphQLError | undefined {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Size>();
  const open = new Set<string>();
  let isCircular = false;

  const sizeOfFragment = (name: string): Size => {
    const size = known.get(name);
    if (size) return size;
    if (open.has(name)) isCircular = true;
    const fragment = fragments.get(name);
    if (!fragment || open.has(name)) return NOTHING;
    open.add(name);
    const measured = sizeOf(fragment.selectionSet);
    open.delete(name);
    known.set(name, measured);
    return measured;
  };

  const sizeOf = ({ selections }: SelectionSetNode): Size => {
    const sum = { ...NOTHING };
    for (const selection of selections) {
      const isField = selection.kind === Kind.FIELD;
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? sizeOfFragment(selection.name.value)
          : selection.selectionSet
            ? sizeOf(selection.selectionSet)
            : NOTHING;
      const isIntrospection = isField && selection.name.value.startsWith("__");
      sum.depth = Math.max(sum.depth, isIntrospection ? 1 : inner.depth + (isField ? 1 : 0));
      sum.fields += inner.fields + (isField ? 1 : 0);
      sum.aliases += inner.aliases + (isField && selection.alias ? 1 : 0);
      sum.directives += inner.directives + (selection.directives?.length ?? 0);
    }
    return sum;
  };

  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(definition.selectionSet);
    if (isCircular) return refused(refuse("fragment_circular"));
    const broken = (["depth", "aliases", "directives", "fields"] as const).find(
      (name) => size[name] > LIMITS[name],
    );
    if (broken) return refused(refuse(REFUSAL_OF[broken], { max: LIMITS[broken] }));
    if (rootFieldsOf(definition, fragments) > LIMITS.rootFields)
      return refused(refuse("root_fields_too_many", { max: LIMITS.rootFields }));
  }
  // Also checks unused fragments for circles, because graphql-js validates unused fragments too.
  for (const name of fragments.keys()) sizeOfFragment(name);
  if (isCircular) return refused(refuse("fragment_circular"));
  return fieldPairsOf(document, fragments, LIMITS.pairs) > LIMITS.pairs
    ? refused(refuse("fields_repeated"))
    : undefined;
}

const NOTHING: Size = { depth: 0, fields: 0, aliases: 0, directives: 0 };

/** Computes the cost of an operation for given values of its variables. */
export interface Cost {
  (variables: Readonly<Record<string, unknown>>): number;
  /** The cost, if it does not depend on variables. */
  readonly fixed?: number;
}

/**
 * Returns the cost function of an operation. Each object costs 1. Each field without subfields costs a
 * fraction of 1, depending on the field's maximum size. A list costs its length times the cost of a node. The
 * document is analysed once, and each request then only computes sums and products. The analysis is linear in
 * the size of the document, which `oversize` limits.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Cost {
  const fragments = fragmentsOf(document);
  const fragmentCosts = new Map<string, Cost>();

  const costOfFragment = (name: string): Cost => {
    const known = fragmentCosts.get(name);
    if (known) return known;
    const fragment = fragments.get(name);
    const type = fragment && schema.getType(fragment.typeCondition.name.value);
    const cost = fragment && type ? remembered(costOfSelections(fragment.selectionSet, type)) : FREE;
    fragmentCosts.set(name, cost);
    return cost;
  };

  const costOfSelections = ({ selections }: SelectionSetNode, parent: GraphQLNamedType): Cost => {
    const costs = selections.map((selection): Cost => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return costOfFragment(selection.name.value);
      if (selection.kind === Kind.FIELD) return costOfField(selection, parent);
      const narrowed = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
      return costOfSelections(selection.selectionSet, narrowed ?? parent);
    });
    return sumOf(costs);
  };

  const costOfField = (node: FieldNode, parent: GraphQLNamedType): Cost => {
    const name = node.name.value;
    const field = fieldOf(schema, parent, name);
    const type = field && getNamedType(field.type);
    if (!type || !isCompositeType(type) || !node.selectionSet) return fixed(leafCost(parent.name, name));
    const inner = costOfSelections(node.selectionSet, type);
    if (type.name.startsWith("__")) {
      const times = INTROSPECTION_LENGTHS[name] ?? 1;
      return (variables) => times * (INTROSPECTION_COST + inner(variables));
    }
    if (isWrapper(parent, field)) return inner;
    if (isConnection(field)) {
      const length = pageLengthOf(node);
      const list = FIELD_COST.list + (isCounted(node.selectionSet, fragments) ? FIELD_COST.count : 0);
      const query = argumentOf(node, "q");
      const search: Cost = (variables) => (query && hasValue(query, variables) ? FIELD_COST.search : 0);
      return (variables) =>
        list + search(variables) + length(variables) * (FIELD_COST.object + inner(variables));
    }
    const named = namedLengthOf(node);
    if (named)
      return (variables) => FIELD_COST.object + named(variables) * (FIELD_COST.object + inner(variables));
    const times = isList(field) ? lengthOfList(parent.name, name) : 1;
    return (variables) => times * (FIELD_COST.object + inner(variables));
  };

  const root = schema.getRootType(operation.operation);
  if (!root) return FREE;
  const writes = operation.operation === "mutation" ? rootFieldsOf(operation, fragments) : 0;
  const read = costOfSelections(operation.selectionSet, root);
  return (variables) => Math.ceil(read(variables) / FIELD_COST.object) + writes * LIMITS.mutationCost;
}

/** Whether a document selects a rendered text. Rendering even one text takes milliseconds. */
export function hasExpensiveFields(document: DocumentNode): boolean {
  let isAsked = false;
  visit(document, {
    Field({ name }) {
      if (!isRenderedText(name.value)) return undefined;
      isAsked = true;
      return BREAK;
    },
  });
  return isAsked;
}

const FREE: Cost = () => 0;

function fixed(price: number): Cost {
  return Object.assign(() => price, { fixed: price });
}

/** Adds costs. Most costs are fixed. Fixed costs are added once and not in every request. */
function sumOf(costs: readonly Cost[]): Cost {
  const known = costs.reduce((sum, cost) => sum + (cost.fixed ?? 0), 0);
  const open = costs.filter((cost) => cost !== FREE && cost.fixed === undefined);
  if (open.length === 0) return fixed(known);
  return (variables) => {
    let sum = known;
    for (const cost of open) sum += cost(variables);
    return sum;
  };
}

/**
 * Caches the cost of a shared fragment for the current request. Without the cache, the work would double with
 * every level of nested fragments.
 */
function remembered(cost: Cost): Cost {
  if (cost === FREE || cost.fixed !== undefined) return cost;
  let last: { variables: object; cost: number } | undefined;
  return (variables) => {
    if (last?.variables !== variables) last = { variables, cost: cost(variables) };
    return last.cost;
  };
}

/** Counts top-level fields, including those in fragments. The document must have no circular fragments. */
function rootFieldsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  const known = new Map<string, number>();
  const count = ({ selections }: SelectionSetNode): number => {
    let fields = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) fields++;
      else if (selection.kind === Kind.INLINE_FRAGMENT) fields += count(selection.selectionSet);
      else fields += countFragment(selection.name.value);
    }
    return fields;
  };
  const countFragment = (name: string): number => {
    const found = known.get(name) ?? count(fragments.get(name)?.selectionSet ?? NO_SELECTIONS);
    known.set(name, found);
    return found;
  };
  return count(operation.selectionSet);
}

const NO_SELECTIONS: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };

/**
 * Whether a field is only part of the structure of a list: `edges`, `node`, `nodes` or `pageInfo`. Such
 * fields cost nothing extra.
 */
function isWrapper(parent: GraphQLNamedType, field: GraphQLField<unknown, unknown>): boolean {
  return (
    /(?:Connection|Edge)$/.test(parent.name) && ["edges", "node", "nodes", "pageInfo"].includes(field.name)
  );
}

function isConnection(field: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(field.type).name.endsWith("Connection");
}

function isList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** Whether an operation selects the total of a list, directly or in a fragment. */
function isCounted(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  visited = new Set<string>(),
): boolean {
  return selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return COUNT_FIELDS.has(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return isCounted(selection.selectionSet, fragments, visited);
    const name = selection.name.value;
    const fragment = visited.has(name) ? undefined : fragments.get(name);
    visited.add(name);
    return fragment !== undefined && isCounted(fragment.selectionSet, fragments, visited);
  });
}

type Length = (variables: Readonly<Record<string, unknown>>) => number;

function pageLengthOf(node: FieldNode): Length {
  const asked = ["first", "last"].flatMap((name) => argumentOf(node, name) ?? []);
  return (variables) => {
    const lengths = asked.map((value) => valueOf(value, variables)).filter((n) => typeof n === "number");
    return Math.max(1, ...(lengths.length > 0 ? lengths : [PAGE_LIMIT.default]));
  };
}

/**
 * Returns the function that computes the number of ids in the `ids` argument of a field. Returns `undefined`
 * for a field without this argument.
 */
function namedLengthOf(node: FieldNode): Length | undefined {
  const ids = argumentOf(node, "ids");
  if (!ids) return undefined;
  if (ids.kind === Kind.LIST) return () => ids.values.length;
  return (variables) => {
    const given = valueOf(ids, variables);
    return Array.isArray(given) ? given.length : 1;
  };
}

function argumentOf(node: FieldNode, name: string): ValueNode | undefined {
  return node.arguments?.find((argument) => argument.name.value === name)?.value;
}

function hasValue(value: ValueNode, variables: Readonly<Record<string, unknown>>): boolean {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value] != null;
  return value.kind !== Kind.NULL;
}

function valueOf(value: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
}

/**
 * Returns the definition of a field. Also finds `__schema`, `__type` and `__typename`, which are not among
 * the fields of any type.
 */
function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  return isCompositeType(type) ? schema.getField(type, name) : undefined;
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions
      .filter(
        (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
      )
      .map((fragment) => [fragment.name.value, fragment]),
  );
}
