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
 * Every connection of the schema, by machine: where it hangs, and a document that reads all of its nodes with
 * all that they bring along. Clients with a cache of records by id walk them all.
 */

export interface Walk {
  /** `Thread.messages`. */
  name: string;
  /** The connection's own name. */
  field: string;
  /** From the data to the connection. */
  path: readonly string[];
  /** The variables beside `$first` and `$after`. */
  variables: Readonly<Record<string, string>>;
  /**
   * The document, for an operation of that name; `directive` stands behind the connection, and `selection` is
   * asked of it.
   */
  document(operation: string, directive?: string, selection?: string): string;
}

/** What is asked of a connection that shows nothing to whoever asks for nothing. */
const ASKED: Readonly<Record<string, string>> = { search: `q: "after:2026", kind: post, ` };

/** So many nodes are all that there are in the town, and fewer where each of them brings many. */
export const wholeOf = ({ name }: Walk): number => (name === "Viewer.notifications" ? 15 : 50);

/** How far a node's own things are followed. */
const DEPTH = 2;
const PAGE = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";

/** All connections; `ids` has an id of every kind that has any. */
export function allConnections(schema: GraphQLSchema, ids: readonly string[]): Walk[] {
  const idOf = (type: string): string => {
    const id = ids.find((one) => typeOfId(one) === type);
    if (!id) throw new Error(`the town has no ${type}, whose connections are to be walked`);
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

/** All that a thing tells by itself, and what it brings along; lists in pages are walked by themselves. */
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

/** What is enough to see whose record it is: members of a union may call different things by one name. */
function ownIdOf(type: GraphQLObjectType): string {
  return type.getFields()["id"] ? "id" : "__typename";
}

function isConnection(field: { type: GraphQLOutputType }): boolean {
  return getNamedType(field.type).name.endsWith("Connection");
}

/** The type of the nodes of a connection. */
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
