import {
  type ExecutionResult,
  getArgumentValues,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
  locatedError,
  responsePathAsArray,
  type ValidatedExecutionArgs,
} from "graphql";
import type { GraphContext } from "./context.ts";
import type { Field, Fields, Plan, Shape } from "./plan.ts";

/*
 * Runs a query by its plan. The data, the errors with their paths, and the size counting are the same as in
 * graphql-js. tests/graphql/plan-runner.slow.test.ts compares the results of both runners. Values that are
 * not promises are completed without a promise.
 */

/** Path in the response. */
type Path = GraphQLResolveInfo["path"];

interface Run {
  readonly valid: ValidatedExecutionArgs;
  readonly context: GraphContext;
  readonly errors: GraphQLError[];
  /**
   * Paths of the values that were set to null because of an error. `undefined` stands for the whole response.
   */
  readonly nulled: Set<Path | undefined>;
  /** Whether the response is complete. Results of work that is still running are ignored. */
  isOver: boolean;
}

export function runPlan(
  plan: Plan,
  valid: ValidatedExecutionArgs,
): ExecutionResult | Promise<ExecutionResult> {
  const context = valid.contextValue as GraphContext;
  const run: Run = { valid, context, errors: [], nulled: new Set(), isOver: false };
  const end = (data: ResultObject | null): ExecutionResult => {
    run.isOver = true;
    return run.errors.length > 0 ? { errors: run.errors, data } : { data };
  };
  const fail = (thrown: unknown): ExecutionResult => {
    addError(run, undefined, thrown instanceof GraphQLError ? thrown : locatedError(thrown, []));
    return end(null);
  };
  try {
    const root = valid.schema.getRootType(valid.operation.operation) as GraphQLObjectType;
    const data = objectOf(run, plan(root), valid.rootValue, undefined);
    return data instanceof Promise ? data.then(end, fail) : end(data);
  } catch (thrown) {
    return fail(thrown);
  }
}

type ResultObject = Record<string, unknown>;

function objectOf(
  run: Run,
  fields: Fields,
  source: unknown,
  path: Path | undefined,
): ResultObject | Promise<ResultObject> {
  const result: ResultObject = {};
  let waiting: string[] | undefined;
  try {
    for (const field of fields) {
      const value = valueOf(run, field, source, path);
      result[field.key] = value;
      if (value instanceof Promise) (waiting ??= []).push(field.key);
    }
  } catch (thrown) {
    if (waiting) ignoreFailures(Object.values(result));
    throw thrown;
  }
  return waiting ? filledIn(result, waiting) : result;
}

/** Replaces promises by their values, without changing the order of names. */
function filledIn(made: ResultObject, waiting: readonly string[]): Promise<ResultObject> {
  return Promise.all(waiting.map((key) => made[key])).then((found) => {
    for (const [i, key] of waiting.entries()) made[key] = found[i];
    return made;
  });
}

/** Arguments of a field without arguments. The object has no prototype, like the objects of graphql-js. */
const NO_ARGUMENTS: Record<string, unknown> = Object.freeze(Object.create(null));
const NO_INFO = undefined as unknown as GraphQLResolveInfo;

function valueOf(run: Run, field: Field, source: unknown, prev: Path | undefined): unknown {
  const { key, nodes, definition, shape } = field;
  let value: unknown;
  try {
    const { variableValues, hideSuggestions } = run.valid;
    const args =
      definition.args.length === 0
        ? NO_ARGUMENTS
        : getArgumentValues(definition, nodes[0], variableValues, undefined, hideSuggestions);
    const info = field.takesInfo ? infoOf(run, field, pathOf(field, prev)) : NO_INFO;
    value = field.find(key.length, source, args, run.context, info);
    // Most values are leaves that are not promises. For such a value, no path is created.
    if (shape.kind === "leaf" && !(value instanceof Promise)) return leafOf(field, shape, value);
  } catch (thrown) {
    return nullFor(run, field, shape, pathOf(field, prev), thrown);
  }
  return completed(run, field, shape, pathOf(field, prev), value);
}

function pathOf({ key, parent }: Field, prev: Path | undefined): Path {
  return { prev, key, typename: parent.name };
}

/**
 * Completes a value for the response. If this fails, returns null for a nullable field and throws for a
 * non-null field.
 */
function completed(run: Run, field: Field, shape: Shape, path: Path, value: unknown): unknown {
  if (value instanceof Promise) return completedLater(run, field, shape, path, value);
  try {
    const made = complete(run, field, shape, path, value);
    return made instanceof Promise
      ? made.then(undefined, (thrown) => nullFor(run, field, shape, path, thrown))
      : made;
  } catch (thrown) {
    return nullFor(run, field, shape, path, thrown);
  }
}

async function completedLater(
  run: Run,
  field: Field,
  shape: Shape,
  path: Path,
  value: Promise<unknown>,
): Promise<unknown> {
  try {
    const found = await value;
    if (run.isOver) throw new Error("nobody waits for it");
    const made = complete(run, field, shape, path, found);
    return made instanceof Promise ? await made : made;
  } catch (thrown) {
    return nullFor(run, field, shape, path, thrown);
  }
}

function complete(run: Run, field: Field, shape: Shape, path: Path, value: unknown): unknown {
  if (shape.kind === "leaf") return leafOf(field, shape, value);
  if (value instanceof Error) throw value;
  if (value == null) return completeNull(field, shape);
  if (shape.kind === "list") return listOf(run, field, shape.item, path, value as Iterable<unknown>);
  if (shape.kind === "object") return objectOf(run, shape.fieldsOf(shape.type), value, path);
  const { schema } = run.valid;
  const name = shape.type.resolveType?.(value, run.context, infoOf(run, field, path), shape.type);
  const type = typeof name === "string" ? schema.getType(name) : undefined;
  if (!isObjectType(type) || !schema.isSubType(shape.type, type))
    throw new Error(`${shape.type.name} is of no type that it may be`);
  return objectOf(run, shape.fieldsOf(type), value, path);
}

function leafOf(field: Field, shape: Shape & { kind: "leaf" }, value: unknown): unknown {
  if (value == null) return completeNull(field, shape);
  if (value instanceof Error) throw value;
  const leaf = shape.type.coerceOutputValue(value);
  if (leaf == null) throw new Error(`${shape.type.name} makes nothing of a value of ${field.key}`);
  return leaf;
}

function completeNull({ parent, definition }: Field, { isNonNull }: Shape): null {
  if (!isNonNull) return null;
  throw new Error(`Cannot return null for non-nullable field ${parent.name}.${definition.name}.`);
}

function listOf(
  run: Run,
  field: Field,
  item: Shape,
  path: Path,
  values: Iterable<unknown>,
): unknown[] | Promise<unknown[]> {
  const made: unknown[] = [];
  let isWaiting = false;
  try {
    for (const value of values) {
      const one = completed(run, field, item, { prev: path, key: made.length, typename: undefined }, value);
      made.push(one);
      isWaiting ||= one instanceof Promise;
    }
  } catch (thrown) {
    ignoreFailures([...made, ...values]);
    throw thrown;
  }
  return isWaiting ? Promise.all(made) : made;
}

function ignoreFailures(promises: readonly unknown[]): void {
  for (const one of promises) if (one instanceof Promise) one.catch(() => {});
}

function nullFor(run: Run, { nodes }: Field, shape: Shape, path: Path, thrown: unknown): null {
  const error = locatedError(thrown, nodes, responsePathAsArray(path));
  if (shape.isNonNull) throw error;
  addError(run, path, error);
  return null;
}

/**
 * Adds the error of a value that became null. Drops the error if a value above in the response is already
 * null.
 */
function addError({ errors, nulled }: Run, path: Path | undefined, error: GraphQLError): void {
  for (let at = path; at !== undefined; at = at.prev) if (nulled.has(at)) return;
  if (nulled.has(undefined)) return;
  nulled.add(path);
  errors.push(error);
}

function infoOf({ valid }: Run, { definition, nodes, parent }: Field, path: Path): GraphQLResolveInfo {
  const { schema, fragmentDefinitions, rootValue, operation, variableValues } = valid;
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: parent,
    path,
    schema,
    fragments: fragmentDefinitions,
    rootValue,
    operation,
    variableValues,
    getAbortSignal: () => undefined,
    getAsyncHelpers() {
      throw new Error("no resolver here leaves work behind");
    },
  };
}
