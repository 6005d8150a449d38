import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { isSpent, yieldToEvents } from "../http/scheduler.ts";
import { isExpensiveField } from "./field-costs.ts";

/** Size of a response while it is built, and whether the client still needs the response. */
export interface AnswerSize {
  /** Number of characters so far. A lower bound of the bytes, because a character may take several bytes. */
  characters: number;
  readonly charactersMax: number;
  /** Expensive responses are built with pauses. See `http/scheduler.ts`. */
  isExpensive: boolean;
  /** Number of lists and fields that are currently paused. */
  paused: number;
  /** Number of refused fields. */
  refused: number;
  /** Why the response was stopped. `undefined` while the response is being built. */
  stopReason: Error | undefined;
  /**
   * Aborts the running work when the response is stopped. `undefined` for cheap operations and for mutations,
   * which are never aborted.
   */
  stop: AbortController | undefined;
  /**
   * Rendered HTML by key. If a document selects a field under several aliases, the text is rendered only
   * once.
   */
  rendered: Map<string, Promise<string>>;
}

/** Maximum number of field errors in a response. */
export const ERRORS_MAX = 50;

export function createSize(most: number): AnswerSize {
  return {
    characters: 0,
    charactersMax: most,
    isExpensive: false,
    paused: 0,
    refused: 0,
    stopReason: undefined,
    stop: undefined,
    rendered: new Map(),
  };
}

/** Stops the response, so that its lists end early. Only the first reason is kept. */
export function endAnswer(size: AnswerSize, why: Error): void {
  if (size.stopReason) return;
  size.stopReason = why;
  size.stop?.abort(why);
}

/** The response exceeds the size limit. */
export class TooLong extends Error {
  override name = "TooLong";
}

/**
 * Number of characters counted for the quotes, colon and comma around a name, and for the braces around an
 * object.
 */
const PUNCTUATION_LENGTH = 6;
/** Characters counted for a number, a boolean or a timestamp. */
const SHORT_VALUE_LENGTH = 8;

function grow(size: AnswerSize, characters: number): void {
  size.characters += characters;
  if (size.characters > size.charactersMax) endAnswer(size, new TooLong());
}

/**
 * Resolves a field. Adds the size of its value, and `characters` for its response name, to the size of the
 * response.
 */
export type ResolveCounted = (
  characters: number,
  source: unknown,
  args: Record<string, unknown>,
  context: Measured,
  info: GraphQLResolveInfo,
) => unknown;

/**
 * The properties that `withSizeCounting` adds to the resolver of a field. The resolver counts the size of its
 * value.
 */
interface CountingResolver {
  find: ResolveCounted;
  /**
   * Whether the resolver uses `info`. Most resolvers do not use `info`, so `plan-runner.ts` builds it only if
   * this property is set.
   */
  takesInfo: boolean;
}

/**
 * Makes every field of the schema count its part of the response. This is done in the resolvers, because
 * graphql-js has no hook for completed values. Also makes lists of expensive responses pause. Call this
 * function once per schema.
 * The introspection types belong to graphql-js and are shared by all schemas of the process. Their fields
 * count only if the context has a size.
 */
export function withSizeCounting(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const inner = field.resolve ?? ((source) => (source as Record<string, unknown>)[field.name]);
      const takesWork = isExpensiveField(type.name, field.name, getNamedType(field.type).name);
      const find = countedOf(inner, field.type, takesWork);
      const resolve: Resolver = (source, args, context, info) =>
        find((info.path.key as string).length, source, args, context, info);
      field.resolve = Object.assign(resolve, {
        find,
        takesInfo: inner.length > 3,
      } satisfies CountingResolver);
    }
  }
  return schema;
}

/** Returns the counting resolver of a field. Throws if the schema was not prepared by `withSizeCounting`. */
export function resolverOf({ name, resolve }: GraphQLField<unknown, unknown>): CountingResolver {
  if (!resolve || !("find" in resolve)) throw new Error(`${name} is of no schema that is measured`);
  return resolve as Resolver & CountingResolver;
}

/** The part of the GraphQL context that this module uses. */
interface Measured {
  size: AnswerSize;
}

type Resolver = GraphQLFieldResolver<unknown, Measured>;
/** Counts the size of a value. Returns the value that the response continues with. */
type Take = (value: unknown, size: AnswerSize) => unknown;

function countedOf(inner: Resolver, type: GraphQLOutputType, takesWork: boolean): ResolveCounted {
  const measure = takeOf(type);
  const isNullable = !isNonNullType(type);

  /**
   * Throws the error of a field. Once a response has the maximum number of errors, returns null for further
   * nullable fields. The maximum is needed because an error takes more space in the response than the field.
   */
  const refuse = (size: AnswerSize, thrown: unknown): null => {
    if (isNullable && size.refused++ >= ERRORS_MAX) return null;
    throw thrown;
  };

  const find: ResolveCounted = (characters, source, args, context, info) => {
    const size = context?.size;
    if (!size) return inner(source, args, context, info);
    grow(size, characters + PUNCTUATION_LENGTH);
    let value: unknown;
    try {
      value = inner(source, args, context, info);
    } catch (thrown) {
      return refuse(size, thrown);
    }
    if (!(value instanceof Promise)) return measure ? measure(value, size) : value;
    if (!measure && !size.isExpensive) return value;
    return value.then(
      (found) => (measure ? measure(found, size) : found),
      (thrown: unknown) => refuse(size, thrown),
    );
  };

  if (!takesWork) return find;
  // Expensive fields pause like lists, because a hundred such fields of one object are as much work as a
  // list.
  return (characters, source, args, context, info) =>
    context?.size?.isExpensive && isSpent()
      ? pauseFor(context.size).then(() =>
          context.size.stopReason ? null : find(characters, source, args, context, info),
        )
      : find(characters, source, args, context, info);
}

async function pauseFor(size: AnswerSize): Promise<void> {
  size.paused++;
  await yieldToEvents();
  size.paused--;
}

function takeOf(type: GraphQLOutputType): Take | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return isLeafType(named) ? takeTextList : takeList;
  if (!isLeafType(named)) return undefined;
  return ["String", "ID", "JSON"].includes(named.name) ? takeText : takeShort;
}

const takeText: Take = (value, size) => {
  if (typeof value === "string") grow(size, value.length);
  else if (value != null) grow(size, JSON.stringify(value)?.length ?? 0);
  return value;
};

const takeShort: Take = (value, size) => {
  grow(size, SHORT_VALUE_LENGTH);
  return value;
};

const takeTextList: Take = (value, size) => {
  if (Array.isArray(value))
    grow(
      size,
      value.reduce<number>(
        (sum, word) => sum + (typeof word === "string" ? word.length + 3 : SHORT_VALUE_LENGTH),
        0,
      ),
    );
  return value;
};

const takeList: Take = (value, size) =>
  size.isExpensive && Array.isArray(value) && value.length > 1 ? walk(value, size) : value;

/**
 * Iterates over a list and pauses when the time slice is used up. Ends early when the response is stopped.
 */
function walk(items: readonly unknown[], size: AnswerSize): AsyncIterable<unknown> {
  let index = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (isSpent()) await pauseFor(size);
        // Promises in the list are not awaited one by one. The lookups of all items in the same tick can then
        // be read in one batch.
        return size.stopReason || index >= items.length
          ? { done: true, value: undefined }
          : { done: false, value: items[index++] };
      },
    }),
  };
}
