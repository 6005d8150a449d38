// docs/adr/0068-plans.md: executing a plan returns the same as graphql-js.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  buildSchema,
  executeRootSelectionSet,
  type ExecutionResult,
  type GraphQLAbstractType,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  parse,
  validate,
  validateExecutionArgs,
  type ValidatedExecutionArgs,
} from "graphql";
import type { Caller } from "../../src/core/identity/access/caller.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { createBatch } from "../../src/graphql/batch.ts";
import type { GraphContext } from "../../src/graphql/context.ts";
import { createPlans, FIELDS_MAX } from "../../src/graphql/plan.ts";
import { runPlan } from "../../src/graphql/plan-runner.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { createSize, withSizeCounting } from "../../src/graphql/answer-size.ts";
import { anyDocument } from "./any-document.ts";
import { idsOf, openFixtureCommunity } from "./fixture-community.ts";

type Executor = (valid: ValidatedExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;

const planOf = createPlans(schema);
const byGraphqlJs: Executor = executeRootSelectionSet;
const byPlan: Executor = (valid) => {
  const plan = planOf(valid);
  if (!plan) throw new Error("the document has no plan");
  return runPlan(plan, valid);
};

/**
 * Returns a parsed, valid document. Both executors use the same object, so plans cached for it are tested
 * too.
 */
function documentOf(of: GraphQLSchema, query: string) {
  const document = parse(query, { maxTokens: 5_000 });
  return validate(of, document).length === 0 ? document : undefined;
}

interface ExecutionOutcome {
  /** JSON text of the data. It includes the order of the keys. */
  json: string;
  errors: string[];
  letters?: number;
  refused?: number;
  isAtOnce: boolean;
}

/** Runs a document with one executor and returns the result with its counters. */
async function resultOf(
  execute: Executor,
  of: GraphQLSchema,
  document: NonNullable<ReturnType<typeof documentOf>>,
  { variables, rootValue, context }: { variables: object; rootValue?: unknown; context?: object },
): Promise<ExecutionOutcome | undefined> {
  const size = createSize(8_000_000);
  const contextValue = { ...context, size, batch: createBatch(size) } as GraphContext;
  const variableValues = variables as Record<string, unknown>;
  const valid = validateExecutionArgs({ schema: of, document, contextValue, variableValues, rootValue });
  if (!("operation" in valid)) return undefined;
  const created = execute(valid);
  const { data, errors = [] } = await created;
  return {
    json: JSON.stringify(data),
    errors: errors.map(receivedBy),
    // After an error, the counters may differ: fields below a null may still run until the response is
    // complete.
    ...(created instanceof Promise && errors.length > 0
      ? {}
      : { letters: size.characters, refused: size.refused }),
    isAtOnce: !(created instanceof Promise),
  };
}

/**
 * Reduces an error to comparable text. Internal errors are hidden from clients and each executor words them
 * differently.
 */
function receivedBy({ message, path, locations, originalError }: GraphQLError): string {
  const isFault = !(originalError instanceof CoreError) && message !== "refused";
  return JSON.stringify([path, locations, isFault ? "fault" : message]);
}

test("a plan returns exactly what graphql-js returns, for any query", async () => {
  await using server = await openFixtureCommunity();
  const { core } = server.server;
  const { ada, bo } = server.community;
  const callers: Caller[] = [
    ada.caller,
    bo.caller,
    { ...bo.caller, scopes: new Set(["feed:read"]) } as Caller,
  ];
  const known = [
    ...idsOf(server.community),
    "ada",
    "bo",
    "rust",
    "nobody",
    "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  ];
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(anyDocument(schema, known), fc.constantFrom(...callers), async (requested, caller) => {
      const document = documentOf(schema, requested.query);
      fc.pre(document !== undefined);
      const allowance = { remaining: 1, resetAt: 0 };
      const by = (execute: Executor) =>
        resultOf(execute, schema, document, {
          variables: requested.variables,
          context: { core, caller, allowance },
        });
      const expected = await by(byGraphqlJs);
      fc.pre(expected !== undefined);
      answered++;
      expect(await by(byPlan)).toEqual(expected);
      expect(await by(byPlan)).toEqual(expected);
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(answered).toBeGreaterThanOrEqual(100);
});

test("builds one plan per document, and evicts old plans to bound memory", () => {
  const planFor = (query: string) => {
    const plan = planOf(validateExecutionArgs({ schema, document: parse(query) }) as ValidatedExecutionArgs);
    const root = schema.getQueryType();
    if (plan && root)
      for (const { shape } of plan(root)) if (shape.kind === "object") shape.fieldsOf(shape.type);
    return plan;
  };
  const document = parse("{ feed { isTotalExact } }");
  const known = () => planOf(validateExecutionArgs({ schema, document }) as ValidatedExecutionArgs);
  const first = known();
  expect(known()).toBe(first);
  const many = `{ feed { ${Array.from({ length: 500 }, (_, i) => `a${i}: isTotalExact`).join(" ")} } }`;
  for (let i = 0; i <= FIELDS_MAX / 500; i++) planFor(`# ${i}\n${many}`);
  expect(known()).not.toBe(first);
});

test("refuses a schema that plans cannot run, before any query", () => {
  const broken = (change: (types: ReturnType<GraphQLSchema["getTypeMap"]>) => void) => () => {
    const created = buildSchema(AWKWARD);
    const types = created.getTypeMap();
    for (const type of Object.values(types)) if (isAbstractType(type)) type.resolveType = () => "Thing";
    change(types);
    return createPlans(created);
  };
  const abstract = (type: unknown) => type as GraphQLAbstractType;
  expect(broken(() => {})).not.toThrow();
  expect(broken(({ Thing }) => ((Thing as GraphQLObjectType).isTypeOf = () => true))).toThrow(
    "Thing has isTypeOf",
  );
  expect(broken(({ Any }) => (abstract(Any).resolveType = undefined))).toThrow("Any has no resolveType");
  expect(broken(({ Either }) => (abstract(Either).resolveType = async () => "Thing"))).toThrow(
    "Either has an asynchronous resolveType",
  );
});

test("builds no plan for mutations, introspection or names of object properties such as `__proto__`", () => {
  const has = (query: string) => {
    const valid = validateExecutionArgs({ schema, document: parse(query), variableValues: {} });
    return planOf(valid as ValidatedExecutionArgs) !== undefined;
  };
  expect(has("{ __typename feed { isTotalExact } }")).toBe(true);
  expect(has("{ __schema { types { name } } }")).toBe(false);
  expect(has('{ feed { isTotalExact } __type(name: "Post") { name } }')).toBe(false);
  expect(has('mutation { deletePost(input: { id: "post_1" }) { deletedId } }')).toBe(false);
  expect(has("subscription { events { id } }")).toBe(false);
  expect(has("{ feed { __proto__: isTotalExact } }")).toBe(false);
});

const AWKWARD = `
  interface Any { name: String! }
  union Either = Thing | Other
  type Query { thing: Thing, sure: Thing!, things: [Thing], all: [Thing!]!, some: [Thing!], any: Any, either: [Either!] }
  type Thing implements Any { name: String!, word: String, number: Int, words: [String!], sure: Thing!, thing: Thing, things: [Thing], all: [Thing!]! any: Any!, either: Either }
  type Other implements Any { name: String!, thing: Thing, all: [Other!]! }`;

const awkward = withSizeCounting(buildSchema(AWKWARD));

const NAMES = ["name", "word", "number", "words", "sure", "thing", "things", "all", "some", "any", "either"];
const LISTS = ["things", "all", "some"];

/** Result of a resolver, at once or later. */
type How =
  "at once" | "later" | "refused" | "refused later" | "null" | "null later" | "an error" | "nonsense";
const HOWS: How[] = ["refused", "refused later", "null", "null later", "an error", "nonsense"];

/** Returns an object whose fields behave as `howOf` says, every time they are read. */
function itemOf(howOf: (path: string) => How, path = ""): object {
  const subject = { __typename: path.length % 3 === 0 ? "Other" : "Thing" };
  for (const name of NAMES) {
    const at = `${path}/${name}`;
    const value = (): unknown => {
      if (LISTS.includes(name) || (name === "either" && path === ""))
        return [1, 2].map((i) => item(howOf(`${at}${i}`), () => itemOf(howOf, `${at}${i}`)));
      if (name === "words") return ["a", "b"].map((word) => item(howOf(at + word), () => word));
      if (name === "name" || name === "word") return at;
      return name === "number" ? at.length : itemOf(howOf, at);
    };
    Object.defineProperty(subject, name, { get: () => resolveWith(howOf(at), value) });
  }
  return subject;
}

/**
 * Returns a list item. A refused item becomes an error value, because a thrown error would discard the other
 * items.
 */
function item(how: How, value: () => unknown): unknown {
  return resolveWith(how === "refused" ? "an error" : how, value);
}

function resolveWith(how: How, value: () => unknown): unknown {
  if (how === "at once") return value();
  if (how === "later") return Promise.resolve().then(value);
  if (how === "refused") throw new Error("refused");
  if (how === "refused later") return refusedLater();
  if (how === "null") return null;
  if (how === "null later") return Promise.resolve(undefined);
  if (how === "an error") return new Error("as a value");
  return { nonsense: true };
}

/** Silences the rejection: an executor that leaves a list early never awaits its promises. */
function refusedLater(): Promise<never> {
  const promise = Promise.reject<never>(new Error("refused"));
  promise.catch(() => {});
  return promise;
}

test("places nulls and errors where graphql-js does, whatever a resolver does", async () => {
  for (const type of Object.values(awkward.getTypeMap()))
    if (isAbstractType(type)) type.resolveType = (value) => (value as { __typename: string }).__typename;
  const trouble = fc.record({
    seed: fc.integer(),
    often: fc.constantFrom(0, 0, 5, 20),
    isLater: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(anyDocument(awkward, ["x"]), trouble, async (requested, { seed, often, isLater }) => {
      const document = documentOf(awkward, requested.query);
      fc.pre(document !== undefined);
      const howOf = (path: string): How => {
        const chance = Number(Bun.hash.wyhash(path, BigInt(seed >>> 0)) % 100n);
        if (chance < often)
          return HOWS.filter((how) => isLater || !how.includes("later"))[chance % 6] ?? "null";
        return isLater && chance % 2 === 0 ? "later" : "at once";
      };
      const by = (execute: Executor) =>
        resultOf(execute, awkward, document, { variables: requested.variables, rootValue: itemOf(howOf) });
      const expected = await by(byGraphqlJs);
      fc.pre(expected !== undefined);
      expect(await by(byPlan)).toEqual(expected);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});

test("resolves nothing more once the whole response is null", async () => {
  const document = parse("{ thing { name } sure { name } }");
  const requests: string[] = [];
  const { promise, resolve } = Promise.withResolvers<object>();
  const subject = {
    __typename: "Thing",
    get name() {
      return requests.push("name") && "a";
    },
  };
  const rootValue = {
    thing: promise,
    get sure() {
      throw new Error("refused");
    },
  };
  const created = resultOf(byPlan, awkward, document, { variables: {}, rootValue });
  expect(await created).toMatchObject({ json: "null", isAtOnce: true });
  resolve(subject);
  await new Promise(setImmediate);
  expect(requests).toEqual([]);
});
