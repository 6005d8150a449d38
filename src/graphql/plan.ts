import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
  visit,
} from "graphql";
import { type SelectionContext, selectedFields } from "./selections.ts";
import { type ResolveCounted, resolverOf } from "./answer-size.ts";

/*
 * Plan of a document: the fields per type, with response names, resolvers and result shapes. A plan is
 * computed once and used for all requests with the document. `plan-runner.ts` runs the plan
 * (docs/adr/0068-plans.md).
 */

/** One field of the response. */
export interface Field {
  readonly key: string;
  /**
   * All selections of this field. Their arguments are the same, so the arguments are taken from the first
   * selection.
   */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly find: ResolveCounted;
  readonly takesInfo: boolean;
  readonly shape: Shape;
}

/** The selected fields of one object. */
export type Fields = readonly Field[];

/** How the value of a field is completed for the response. */
export type Shape = { readonly isNonNull: boolean } & (
  | { readonly kind: "leaf"; readonly type: GraphQLLeafType }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly type: GraphQLObjectType; readonly fieldsOf: FieldsOf }
  | { readonly kind: "abstract"; readonly type: GraphQLAbstractType; readonly fieldsOf: FieldsOf }
);

/**
 * Returns the selected fields for an object type. The fields are computed when the first object of the type
 * is found, because most possible types never occur.
 */
export type FieldsOf = (type: GraphQLObjectType) => Fields;

/** Plan of an operation: returns the fields for the root type. */
export type Plan = FieldsOf;

interface CachedPlan {
  /**
   * The plan. `undefined` for operations that graphql-js runs: mutations, subscriptions and introspection.
   */
  plan: Plan | undefined;
  /** Whether the plan is the same for all values of the variables. */
  isFixed: boolean;
}

/**
 * Maximum number of fields in all cached plans. Measured: a field takes 400 bytes. The limit counts fields,
 * because fragments can turn a short text into many fields.
 */
export const FIELDS_MAX = 20_000;

/**
 * Creates a plan cache. A plan is kept as long as its document. When the cache is full, all plans are
 * removed. A removed plan is rebuilt in microseconds on its next use. Throws for a schema that
 * `plan-runner.ts` would run differently than graphql-js.
 */
export function createPlans(schema: GraphQLSchema): (valid: ValidatedExecutionArgs) => Plan | undefined {
  assertPlannable(schema);
  let plans = new WeakMap<OperationDefinitionNode, CachedPlan>();
  let cachedFields = 0;

  const countFields = (fields: number): void => {
    cachedFields += fields;
    if (cachedFields <= FIELDS_MAX) return;
    plans = new WeakMap();
    cachedFields = 0;
  };

  return function planOf(valid) {
    const { operation, schema, fragmentDefinitions: fragments, variableValues: variables } = valid;
    let known = plans.get(operation);
    if (!known) plans.set(operation, (known = compile(valid, countFields)));
    return known.isFixed || !known.plan
      ? known.plan
      : planFor(operation, { schema, fragments, variables }, () => {});
  };
}

/**
 * Rejects schemas that need `isTypeOf` or an async `resolveType`, which `plan-runner.ts` does not support.
 */
function assertPlannable(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && type.isTypeOf) throw new Error(`${type.name} has isTypeOf`);
    if (!isAbstractType(type)) continue;
    if (!type.resolveType) throw new Error(`${type.name} has no resolveType`);
    if (type.resolveType instanceof AsyncFunction)
      throw new Error(`${type.name} has an asynchronous resolveType`);
  }
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

function compile(
  { document, operation, ...valid }: ValidatedExecutionArgs,
  countFields: CountFields,
): CachedPlan {
  let canPlan = operation.operation === OperationTypeNode.QUERY && valid.errorPropagation;
  let isFixed = true;
  visit(document, {
    Field({ name, alias }) {
      if (/^__(?!typename$)/.test(name.value) || alias?.value === "__proto__") canPlan = false;
    },
    Directive({ arguments: given }) {
      if (given?.some(({ value }) => value.kind === Kind.VARIABLE)) isFixed = false;
    },
  });
  // `valid` refers to the request, and the plan outlives the request. The plan therefore gets only these
  // parts of `valid`.
  const asking = { schema: valid.schema, fragments: valid.fragmentDefinitions, variables: undefined };
  return { plan: canPlan ? planFor(operation, asking, countFields) : undefined, isFixed };
}

/** Called with the number of fields added to a plan. */
type CountFields = (fields: number) => void;

function planFor(
  { selectionSet }: OperationDefinitionNode,
  asking: SelectionContext,
  countFields: CountFields,
): Plan {
  return fieldsOf({ ...asking, countFields }, [selectionSet]);
}

interface CompileContext extends SelectionContext {
  countFields: CountFields;
}

function fieldsOf(context: CompileContext, sets: readonly SelectionSetNode[]): FieldsOf {
  const known = new Map<GraphQLObjectType, Fields>();
  return (type) => {
    let fields = known.get(type);
    if (!fields) known.set(type, (fields = lookUp(context, type, sets)));
    return fields;
  };
}

function lookUp(context: CompileContext, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Fields {
  const selected = [...selectedFields(context, type, sets)];
  context.countFields(selected.length);
  return selected.map(([key, nodes]) => {
    const [{ name }] = nodes as Field["nodes"];
    const definition = context.schema.getField(type, name.value);
    if (!definition) throw new Error(`${type.name} has no field ${name.value}`);
    const { find, takesInfo } = name.value === "__typename" ? nameOf(type) : resolverOf(definition);
    return {
      key,
      nodes: nodes as Field["nodes"],
      parent: type,
      definition,
      find,
      takesInfo,
      shape: shapeOf(context, definition.type, nodes),
    };
  });
}

/** Returns a resolver of `__typename` that does not count the value, as in graphql-js. */
function nameOf({ name }: GraphQLObjectType): { find: ResolveCounted; takesInfo: boolean } {
  return { find: () => name, takesInfo: false };
}

function shapeOf(context: CompileContext, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
  const isNonNull = isNonNullType(type);
  const inner = isNonNull ? type.ofType : type;
  if (isListType(inner)) return { kind: "list", isNonNull, item: shapeOf(context, inner.ofType, nodes) };
  if (isLeafType(inner)) return { kind: "leaf", isNonNull, type: inner };
  const further = fieldsOf(
    context,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  return isAbstractType(inner)
    ? { kind: "abstract", isNonNull, type: inner, fieldsOf: further }
    : { kind: "object", isNonNull, type: inner, fieldsOf: further };
}
