import {
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import { typeOfId } from "../../src/graphql/nodes.ts";

/*
 * Finds every connection in the schema. For each connection, builds a document that reads all nodes and their
 * fields. The cache tests of Relay, Apollo and urql walk all connections.
 */

export interface Walk {
  /** For example `Thread.messages`. */
  name: string;
  field: string;
  /** Field names from the response data to the connection. */
  path: readonly string[];
  /** Variables other than `$first` and `$after`. */
  variables: Readonly<Record<string, string>>;
  /**
   * Returns a document whose operation has the given name. `directive` follows the connection's arguments.
   * `selection` replaces its selection set.
   */
  document(operation: string, directive?: string, selection?: string): string;
}

/** Extra arguments of connections that are empty without arguments. */
const ASKED: Readonly<Record<string, string>> = { search: `q: "after:2026", kind: post, ` };

/** Page size that covers the whole connection. It is smaller for connections with expensive nodes. */
export const fullPageSizeOf = ({ name }: Walk): number => (name === "Viewer.notifications" ? 15 : 50);

/** How many levels of nested objects a selection includes. */
const DEPTH = 2;
const PAGE = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";

/** Returns all connections. `ids` must contain an id of every type that has connections. */
export function allConnections(schema: GraphQLSchema, ids: readonly string[]): Walk[] {
  const idOf = (type: string): string => {
    const id = ids.find((id) => typeOfId(id) === type);
    if (!id) throw new Error(`the fixture community has no ${type}`);
    return id;
  };
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !isIntrospectionType(type) && !isRootOfWrites(schema, type))
    .flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields())
        .filter(isConnection)
        .map((field) => walkOf(schema, type as GraphQLObjectType, field, idOf)),
    );
}

function walkOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  idOf: (type: string) => string,
): Walk {
  const node = nodeOf(field);
  const whole = `edges { cursor node { ${selectionOf(node, DEPTH)} } } ${PAGE}`;
  const list = (directive: string, selection: string) =>
    `${field.name}(${ASKED[field.name] ?? ""}first: $first, after: $after) ${directive} { ${selection} }`;
  const isNode = type.getInterfaces().some(({ name }) => name === "Node");
  const name = `${type.name}.${field.name}`;
  const page = "$first: Int, $after: String";
  if (type === schema.getQueryType()) {
    return {
      name,
      field: field.name,
      path: [field.name],
      variables: {},
      document: (operation, directive = "", selection = whole) =>
        `query ${operation}(${page}) { ${list(directive, selection)} }`,
    };
  }
  if (isNode && type.name !== "Workspace") {
    return {
      name,
      field: field.name,
      path: ["node", field.name],
      variables: { id: idOf(type.name) },
      document: (operation, directive = "", selection = whole) =>
        `query ${operation}(${page}, $id: ID!) { node(id: $id) { __typename id ... on ${type.name} { ${list(directive, selection)} } } }`,
    };
  }
  const path = isNode ? ["viewer", "workspace"] : ["viewer"];
  return {
    name,
    field: field.name,
    path: [...path, field.name],
    variables: {},
    document: (operation, directive = "", selection = whole) =>
      `query ${operation}(${page}) { ${path.join(" { ")} { ${isNode ? "id " : ""}${list(directive, selection)} ${"}".repeat(path.length)} }`,
  };
}

/**
 * Returns all fields of a type that need no arguments, nested to `depth`. Leaves out connections, which are
 * walked separately.
 */
export function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isUnionType(type)) {
    const members = type.getTypes().map((member) => `... on ${member.name} { ${ownIdOf(member)} }`);
    return `__typename ${members.join(" ")}`;
  }
  if (isInterfaceType(type)) return "__typename id";
  const fields = Object.values((type as GraphQLObjectType).getFields()).filter(
    (field) => !isConnection(field) && !field.args.some(isRequiredArgument),
  );
  const parts = fields.flatMap((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return field.name;
    return depth === 0 ? [] : `${field.name} { ${selectionOf(inner, depth - 1)} }`;
  });
  return ["__typename", ...parts].join(" ");
}

/** Selects only the id or the type name. Members of a union may use one field name for different types. */
function ownIdOf(type: GraphQLObjectType): string {
  return type.getFields()["id"] ? "id" : "__typename";
}

function isConnection(field: { type: GraphQLOutputType }): boolean {
  return getNamedType(field.type).name.endsWith("Connection");
}

function nodeOf(field: { type: GraphQLOutputType }): GraphQLNamedType {
  const edges = (getNamedType(field.type) as GraphQLObjectType).getFields()["edges"];
  const edge = getNamedType(unwrapped(edges?.type)) as GraphQLObjectType;
  return getNamedType(edge.getFields()["node"]?.type as GraphQLOutputType);
}

function unwrapped(type: GraphQLOutputType | undefined): GraphQLOutputType {
  const inner = type && isNonNullType(type) ? type.ofType : type;
  return (isListType(inner) ? inner.ofType : inner) as GraphQLOutputType;
}

function isRootOfWrites(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  return type === schema.getMutationType() || type === schema.getSubscriptionType();
}
