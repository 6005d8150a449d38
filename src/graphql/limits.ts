import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { PAGE_LIMIT } from "../core/page.ts";

/**
 * How large a document may be. All of it is counted before anything runs, fragments as often as they are used: a short text can
 * ask for very much (THREATS G01–G04).
 */
export const LIMITS = {
  /** Words and signs of the text; counted while it is read, so that a longer one is not read to its end. */
  tokens: 2_000,
  /** Fields inside fields. Introspection, which graphql bounds by itself, may go deeper. */
  depth: 12,
  /** Fields at the top. */
  rootFields: 20,
  aliases: 30,
  directives: 30,
  /** Fields in all. */
  fields: 1_000,
  /** What one request may cost; see `costOf`. */
  cost: 10_000,
  /** What costs more waits for its turn; see `turns.ts`. A page of a hundred posts with their authors costs 210. */
  turnCost: 300,
  /** What one event of a subscription may cost: it is paid for once, and told again and again. */
  subscriptionCost: 500,
  /** A write costs a whole token of the bucket, as in REST (where 100 of cost are one token). */
  mutationCost: 100,
  /** A list costs this beside its nodes: looking for them is work, also where the page is short. */
  listCost: 10,
} as const;

/** The refusal of the contract, as an error of GraphQL. */
export function refuse(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "bad_request" } });
}

interface Size {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
}

/** The one limit that a document breaks, in a sentence; undefined where it breaks none. Linear in the document's length. */
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
    if (isCircular) return refuse("A fragment spreads itself; take that spread out.");
    const broken = (["depth", "aliases", "directives", "fields"] as const).find(
      (name) => size[name] > LIMITS[name],
    );
    if (broken)
      return refuse(
        broken === "depth"
          ? `The document is more than ${LIMITS.depth} levels deep; ask for less at once.`
          : `The document has more than ${LIMITS[broken]} ${broken}; ask for less at once.`,
      );
    if (rootFieldsOf(definition, fragments) > LIMITS.rootFields)
      return refuse(
        `The document has more than ${LIMITS.rootFields} fields at the top; ask for less at once.`,
      );
  }
  // A fragment that nothing uses is validated all the same.
  for (const name of fragments.keys()) sizeOfFragment(name);
  return isCircular ? refuse("A fragment spreads itself; take that spread out.") : undefined;
}

const NOTHING: Size = { depth: 0, fields: 0, aliases: 0, directives: 0 };

/** A list without pages is as long as its owner made it; most are short. */
const PLAIN_LIST = 10;

/** What an operation costs, once its variables are known. */
export type Cost = (variables: Readonly<Record<string, unknown>>) => number;

/**
 * What an operation costs: 1 for each object that it can make. A connection costs as many of what is asked of its nodes as
 * its page is long. Linear in the document, which `oversize` has bounded; done once for each document, and what is left to
 * do for each request are sums and products.
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
    return sumOf(costs.filter((cost) => cost !== FREE));
  };

  const costOfField = (node: FieldNode, parent: GraphQLNamedType): Cost => {
    const field = fieldOf(parent, node.name.value);
    if (!field || !node.selectionSet) return FREE;
    const type = getNamedType(field.type);
    if (!isCompositeType(type)) return FREE;
    const inner = costOfSelections(node.selectionSet, type);
    if (isWrapper(parent, field)) return inner;
    if (isConnection(field)) {
      const length = pageLengthOf(node);
      return (variables) => LIMITS.listCost + length(variables) * Math.max(1, inner(variables));
    }
    const named = namedLengthOf(node);
    if (named) return (variables) => 1 + named(variables) * Math.max(1, inner(variables));
    const times = isList(field) ? PLAIN_LIST : 1;
    return inner === FREE ? ONE : (variables) => 1 + times * inner(variables);
  };

  const root = schema.getRootType(operation.operation);
  if (!root) return FREE;
  const writes = operation.operation === "mutation" ? rootFieldsOf(operation, fragments) : 0;
  const read = costOfSelections(operation.selectionSet, root);
  return (variables) => read(variables) + writes * LIMITS.mutationCost;
}

const FREE: Cost = () => 0;
const ONE: Cost = () => 1;

function sumOf(costs: readonly Cost[]): Cost {
  const [first, ...more] = costs;
  if (!first) return FREE;
  if (more.length === 0) return first;
  return (variables) => {
    let sum = 0;
    for (const cost of costs) sum += cost(variables);
    return sum;
  };
}

/** A fragment that is used often is counted once for each request: fragments of fragments would double with every level. */
function remembered(cost: Cost): Cost {
  if (cost === FREE) return FREE;
  let last: { variables: object; cost: number } | undefined;
  return (variables) => {
    if (last?.variables !== variables) last = { variables, cost: cost(variables) };
    return last.cost;
  };
}

/** The fields at the top, also those that stand in fragments. The document holds no circle. */
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

/** `edges`, `node` and `pageInfo` are the form of a list, not things of their own. */
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

type Length = (variables: Readonly<Record<string, unknown>>) => number;

function pageLengthOf(node: FieldNode): Length {
  const asked = ["first", "last"].flatMap((name) => argumentOf(node, name) ?? []);
  return (variables) => {
    const lengths = asked.map((value) => valueOf(value, variables)).filter((n) => typeof n === "number");
    return Math.max(1, ...(lengths.length > 0 ? lengths : [PAGE_LIMIT.default]));
  };
}

/** How many things are asked for by their ids; undefined where none are named. */
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

function valueOf(value: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
}

function fieldOf(type: GraphQLNamedType, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
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
