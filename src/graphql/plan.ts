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
 * What a document asks for, once for all who ask it: which fields of which type under which name, by which
 * resolver, and what is made of what that gives. `plan-runner.ts` walks along it (docs/adr/0068-plans.md).
 */

/** One field of the answer. */
export interface Field {
  readonly key: string;
  /** All that ask for it. The first has its arguments; they are the same for all of them. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  readonly parent: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly find: ResolveCounted;
  readonly takesInfo: boolean;
  readonly shape: Shape;
}

/** The selected fields of one object. */
export type Fields = readonly Field[];

/** How a value is completed. */
export type Shape = { readonly isNonNull: boolean } & (
  | { readonly kind: "leaf"; readonly type: GraphQLLeafType }
  | { readonly kind: "list"; readonly item: Shape }
  | { readonly kind: "object"; readonly type: GraphQLObjectType; readonly fieldsOf: FieldsOf }
  | { readonly kind: "abstract"; readonly type: GraphQLAbstractType; readonly fieldsOf: FieldsOf }
);

/** Looked up when the first object of a type comes: of most types that could stand there none ever does. */
export type FieldsOf = (type: GraphQLObjectType) => Fields;

/** Of an operation: `fieldsOf` its root. */
export type Plan = FieldsOf;

interface Known {
  /** Undefined for what graphql-js runs: writes, streams, and what the schema tells of itself. */
  plan: Plan | undefined;
  /** Whether it is the same for all variables. */
  isFixed: boolean;
}

/**
 * What is kept of all plans together: measured, one takes 400 bytes, and fragments make many fields of a
 * short text.
 */
export const FIELDS_MAX = 20_000;

/**
 * Plans are kept as long as their documents. When they are too many, all are rebuilt, in microseconds. Throws
 * for a schema that `plan-runner.ts` would run otherwise than graphql-js.
 */
export function createPlans(schema: GraphQLSchema): (valid: ValidatedExecutionArgs) => Plan | undefined {
  assertPlannable(schema);
  let kept = new WeakMap<OperationDefinitionNode, Known>();
  let fieldsKept = 0;

  const keep = (fields: number): void => {
    fieldsKept += fields;
    if (fieldsKept <= FIELDS_MAX) return;
    kept = new WeakMap();
    fieldsKept = 0;
  };

  return function planOf(valid) {
    const { operation, schema, fragmentDefinitions: fragments, variableValues: variables } = valid;
    let known = kept.get(operation);
    if (!known) kept.set(operation, (known = compile(valid, keep)));
    return known.isFixed || !known.plan
      ? known.plan
      : planFor(operation, { schema, fragments, variables }, () => {});
  };
}

/** `plan-runner.ts` never calls `isTypeOf`, and waits for no `resolveType`. */
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

function compile({ document, operation, ...valid }: ValidatedExecutionArgs, keep: Keep): Known {
  let isOurs = operation.operation === OperationTypeNode.QUERY && valid.errorPropagation;
  let isFixed = true;
  visit(document, {
    Field({ name, alias }) {
      if (/^__(?!typename$)/.test(name.value) || alias?.value === "__proto__") isOurs = false;
    },
    Directive({ arguments: given }) {
      if (given?.some(({ value }) => value.kind === Kind.VARIABLE)) isFixed = false;
    },
  });
  // Nothing of the request itself: a plan stays.
  const asking = { schema: valid.schema, fragments: valid.fragmentDefinitions, variables: undefined };
  return { plan: isOurs ? planFor(operation, asking, keep) : undefined, isFixed };
}

/** Told of all fields that are looked up. */
type Keep = (fields: number) => void;

function planFor({ selectionSet }: OperationDefinitionNode, asking: SelectionContext, keep: Keep): Plan {
  return fieldsOf({ ...asking, keep }, [selectionSet]);
}

interface Looking extends SelectionContext {
  keep: Keep;
}

function fieldsOf(looking: Looking, sets: readonly SelectionSetNode[]): FieldsOf {
  const known = new Map<GraphQLObjectType, Fields>();
  return (type) => {
    let fields = known.get(type);
    if (!fields) known.set(type, (fields = lookUp(looking, type, sets)));
    return fields;
  };
}

function lookUp(looking: Looking, type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Fields {
  const asked = [...selectedFields(looking, type, sets)];
  looking.keep(asked.length);
  return asked.map(([key, nodes]) => {
    const [{ name }] = nodes as Field["nodes"];
    const definition = looking.schema.getField(type, name.value);
    if (!definition) throw new Error(`${type.name} has no field ${name.value}`);
    const { find, takesInfo } = name.value === "__typename" ? nameOf(type) : resolverOf(definition);
    return {
      key,
      nodes: nodes as Field["nodes"],
      parent: type,
      definition,
      find,
      takesInfo,
      shape: shapeOf(looking, definition.type, nodes),
    };
  });
}

/** Counted for nobody, as by graphql-js. */
function nameOf({ name }: GraphQLObjectType): { find: ResolveCounted; takesInfo: boolean } {
  return { find: () => name, takesInfo: false };
}

function shapeOf(looking: Looking, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
  const isNonNull = isNonNullType(type);
  const inner = isNonNull ? type.ofType : type;
  if (isListType(inner)) return { kind: "list", isNonNull, item: shapeOf(looking, inner.ofType, nodes) };
  if (isLeafType(inner)) return { kind: "leaf", isNonNull, type: inner };
  const further = fieldsOf(
    looking,
    nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
  );
  return isAbstractType(inner)
    ? { kind: "abstract", isNonNull, type: inner, fieldsOf: further }
    : { kind: "object", isNonNull, type: inner, fieldsOf: further };
}
