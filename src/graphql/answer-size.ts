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

/** The size of an operation's answer so far, and whether it is still wanted. */
export interface AnswerSize {
  /** A lower bound of the bytes sent, as some letters take several. */
  letters: number;
  readonly most: number;
  /** Expensive answers are made with pauses; see `pace.ts`. */
  isExpensive: boolean;
  /** Lists that rest half way, and long texts that wait. */
  resting: number;
  /** Fields that were refused. */
  refused: number;
  /** Why the rest of it is not made; undefined while it is. */
  over: Error | undefined;
  /**
   * Ends what runs, once the answer is over; undefined for what runs to its end all the same: what is cheap,
   * and what writes.
   */
  stop: AbortController | undefined;
  /** Rendered texts by their source, so that aliases of a field render once. */
  rendered: Map<string, Promise<string>>;
}

/** Refusals of so many fields are told; a list of a hundred thousand helps nobody. */
export const ERRORS_MAX = 50;

export function createSize(most: number): AnswerSize {
  return {
    letters: 0,
    most,
    isExpensive: false,
    resting: 0,
    refused: 0,
    over: undefined,
    stop: undefined,
    rendered: new Map(),
  };
}

/** No list of it goes on. The first reason stays. */
export function endAnswer(size: AnswerSize, why: Error): void {
  if (size.over) return;
  size.over = why;
  size.stop?.abort(why);
}

/** The answer became longer than it may be. */
export class TooLong extends Error {
  override name = "TooLong";
}

/** Quotes, colon and comma around a name; braces around what stands behind it. */
const SIGNS = 6;
/** A number, a truth, a moment. */
const SHORT = 8;

function grow(size: AnswerSize, letters: number): void {
  size.letters += letters;
  if (size.letters > size.most) endAnswer(size, new TooLong());
}

/** Finds a field's value, and counts it under a name of so many letters. */
export type ResolveCounted = (
  letters: number,
  source: unknown,
  args: Record<string, unknown>,
  context: Measured,
  info: GraphQLResolveInfo,
) => unknown;

/** The resolver of a field that counts its size. */
interface CountingResolver {
  find: ResolveCounted;
  /** Most resolvers do without; who has to make one for each field makes it only where it is taken. */
  takesInfo: boolean;
}

/**
 * Has every field of the schema count what it adds to the answer, and has the lists of expensive answers walk
 * with pauses. graphql-js has no hook of its own where values are completed. Once for each schema. The types
 * of introspection are graphql-js' own, the same for every schema of the process: they count where there is
 * something to count for.
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

/** The counting resolver of a field, for callers that know its name. */
export function resolverOf({ name, resolve }: GraphQLField<unknown, unknown>): CountingResolver {
  if (!resolve || !("find" in resolve)) throw new Error(`${name} is of no schema that is measured`);
  return resolve as Resolver & CountingResolver;
}

/** The part of the context that is used here. */
interface Measured {
  size: AnswerSize;
}

type Resolver = GraphQLFieldResolver<unknown, Measured>;
/** What is counted of a value, and how it is handed on. */
type Take = (value: unknown, size: AnswerSize) => unknown;

function countedOf(inner: Resolver, type: GraphQLOutputType, takesWork: boolean): ResolveCounted {
  const take = takeOf(type);
  const isNullable = !isNonNullType(type);

  /** What nobody would be told is not refused one by one: each refusal costs more than the field. */
  const refuse = (size: AnswerSize, thrown: unknown): null => {
    if (isNullable && size.refused++ >= ERRORS_MAX) return null;
    throw thrown;
  };

  const find: ResolveCounted = (letters, source, args, context, info) => {
    const size = context?.size;
    if (!size) return inner(source, args, context, info);
    grow(size, letters + SIGNS);
    let value: unknown;
    try {
      value = inner(source, args, context, info);
    } catch (thrown) {
      return refuse(size, thrown);
    }
    if (!(value instanceof Promise)) return take ? take(value, size) : value;
    if (!take && !size.isExpensive) return value;
    return value.then(
      (found) => (take ? take(found, size) : found),
      (thrown: unknown) => refuse(size, thrown),
    );
  };

  if (!takesWork) return find;
  // A hundred of them under one object are as much work as a list.
  return (letters, source, args, context, info) =>
    context?.size?.isExpensive && isSpent()
      ? restFor(context.size).then(() =>
          context.size.over ? null : find(letters, source, args, context, info),
        )
      : find(letters, source, args, context, info);
}

async function restFor(size: AnswerSize): Promise<void> {
  size.resting++;
  await yieldToEvents();
  size.resting--;
}

function takeOf(type: GraphQLOutputType): Take | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type))) return isLeafType(named) ? takeWords : takeList;
  if (!isLeafType(named)) return undefined;
  return ["String", "ID", "JSON"].includes(named.name) ? takeText : takeShort;
}

const takeText: Take = (value, size) => {
  if (typeof value === "string") grow(size, value.length);
  else if (value != null) grow(size, JSON.stringify(value)?.length ?? 0);
  return value;
};

const takeShort: Take = (value, size) => {
  grow(size, SHORT);
  return value;
};

const takeWords: Take = (value, size) => {
  if (Array.isArray(value))
    grow(
      size,
      value.reduce<number>((sum, word) => sum + (typeof word === "string" ? word.length + 3 : SHORT), 0),
    );
  return value;
};

const takeList: Take = (value, size) =>
  size.isExpensive && Array.isArray(value) && value.length > 1 ? walk(value, size) : value;

/**
 * The items of a list, one after the other, with pauses where they are due; no more of them once nobody wants
 * the answer.
 */
function walk(items: readonly unknown[], size: AnswerSize): AsyncIterable<unknown> {
  let index = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (isSpent()) await restFor(size);
        // An item may be a promise: what is asked for in one moment is read together, so nothing waits for it
        // here.
        return size.over || index >= items.length
          ? { done: true, value: undefined }
          : { done: false, value: items[index++] };
      },
    }),
  };
}
