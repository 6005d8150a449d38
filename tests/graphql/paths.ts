import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { schema } from "../../src/graphql/schema/index.ts";

/** A path through the schema: fields from the root to a type, with all leaf fields of that type. */
export interface FieldPath {
  /** For example `viewer.workspace.events.nodes`, or `node(Event)` for a lookup by id. */
  name: string;
  takesId: boolean;
  /**
   * How many ids one document may contain. The number is above 1 only if an error for one id does not remove
   * the results of the other ids.
   */
  idsOfDocument: number;
  document(...ids: string[]): string;
}

/** Ids per document. Must be below the limit of root fields per document. */
const IDS_OF_DOCUMENT = 15;

interface Step {
  field: string;
  args: string;
  /** Whether the field is nullable, so that its error does not remove sibling fields. */
  isNullable: boolean;
  /** The concrete type, set if the field returns an interface. */
  on?: string;
}

/**
 * Returns all paths from a root to some types. Each type occurs once per path. Paths are derived from the
 * schema, so new fields are included automatically.
 */
export function fieldPaths(
  root: "query" | "mutation" | "subscription",
  depth: number,
  goals: readonly string[],
): FieldPath[] {
  const type = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  }[root];
  if (!type) throw new Error(`the schema has no ${root}`);
  const paths: FieldPath[] = [];
  for (const field of Object.values(type.getFields()))
    descend(field, [], [], { root: root === "query" ? "" : root, depth, goals, paths });
  return paths;
}

function descend(
  field: GraphQLField<unknown, unknown>,
  steps: readonly Step[],
  met: readonly string[],
  into: { root: string; depth: number; goals: readonly string[]; paths: FieldPath[] },
): void {
  const args = argumentsOf(field);
  const type = getNamedType(field.type);
  if (args === undefined || steps.length >= into.depth) return;
  const objects: [GraphQLObjectType, Pick<Step, "on">][] = isObjectType(type)
    ? [[type, {}]]
    : isLeafType(type)
      ? []
      : schema.getPossibleTypes(type as never).map((each) => [each, { on: each.name }]);
  for (const [object, on] of objects) {
    if (met.includes(object.name)) continue;
    const path = [...steps, { field: field.name, args, isNullable: !isNonNullType(field.type), ...on }];
    if (into.goals.includes(object.name)) into.paths.push(toPath(path, object, into.root));
    for (const next of Object.values(object.getFields())) descend(next, path, [...met, object.name], into);
  }
}

/**
 * Returns arguments with ids filled in and long pages. Returns undefined if the field needs other arguments.
 */
function argumentsOf(field: GraphQLField<unknown, unknown>): string | undefined {
  const given: string[] = [];
  for (const { name, type } of field.args) {
    const named = getNamedType(type).name;
    if (name === "first") given.push("first: 20");
    else if (name === "input") given.push("input: $INPUT");
    else if (name === "ids") given.push('ids: ["$ID"]');
    else if (isNonNullType(type) && named === "ID") given.push(`${name}: "$ID"`);
    else if (isNonNullType(type)) return undefined;
  }
  if (given.includes("input: $INPUT")) return `(${given.join(", ").replace("$INPUT", inputOf(field))})`;
  return given.length === 0 ? "" : `(${given.join(", ")})`;
}

const FILLED: Readonly<Record<string, string>> = {
  ID: '"$ID"',
  DateTime: '"2026-01-01T00:00:00Z"',
  String: '"https://hooks.example.com/other"',
  Int: "1",
  Boolean: "true",
};

function inputOf(field: GraphQLField<unknown, unknown>): string {
  const input = getNamedType(field.args.find(({ name }) => name === "input")?.type as never) as unknown as {
    getFields(): Record<string, { name: string; type: unknown }>;
  };
  const fields = Object.values(input.getFields())
    .filter(({ type }) => isNonNullType(type))
    .map(
      ({ name, type }) =>
        `${name}: ${FILLED[(getNamedType(type as never) as unknown as { name: string }).name] ?? "[]"}`,
    );
  return `{ ${fields.join(", ")} }`;
}

function toPath(steps: readonly Step[], object: GraphQLObjectType, root: string): FieldPath {
  const leaves = Object.values(object.getFields())
    .filter(
      ({ type, args }) => isLeafType(getNamedType(type)) && !args.some((arg) => isNonNullType(arg.type)),
    )
    .map(({ name }) => name);
  const inner = `{ __typename ${leaves.join(" ")} }`;
  const text = steps.reduceRight(
    (body, { field, args, on }) =>
      `{ ${field}${args} ${on === undefined ? body : `{ ... on ${on} ${body} }`} }`,
    inner,
  );
  const takesId = text.includes("$ID");
  const takesIds = text.includes('["$ID"]');
  const isBatched = root === "" && takesId && (takesIds || steps[0]?.isNullable === true);
  return {
    name: steps.map(({ field, on }) => (on === undefined ? field : `${field}(${on})`)).join("."),
    takesId,
    idsOfDocument: isBatched ? IDS_OF_DOCUMENT : 1,
    document(...ids) {
      if (takesIds) return text.replace('"$ID"', JSON.stringify(ids).slice(1, -1));
      if (ids.length <= 1) return `${root} ${text}`.replaceAll("$ID", ids[0] ?? "");
      const field = text.slice(2, -2);
      return `{ ${ids.map((id, at) => `id${at}: ${field.replaceAll("$ID", id)}`).join(" ")} }`;
    },
  };
}
