/** How to run a REST operation through GraphQL. */
export interface Row {
  /** The path parameter (default: the `{id}` of the example) and the body. */
  param?: string;
  body?: Record<string, unknown>;
  /**
   * The document. Lists take `$first`, `$after`, `$last` and `$before`. Objects take `$id` or `$username`.
   * Mutations take `$input`.
   */
  graph: string;
  /** Path in the response data to the result. For a list, the path to the connection. */
  at: string;
  /** Converts a node with snake_case keys to the REST view, where GraphQL returns more. */
  shape?(node: Shown): unknown;
  /** Invalid bodies and the refusals that they cause. */
  refused?: { body?: Record<string, unknown>; param?: string; as: string }[];
}

export type Shown = Record<string, any>;

const PAGED = "$first: Int, $after: String, $last: Int, $before: String";
const PAGE = "first: $first, after: $after, last: $last, before: $before";

/** Builds the row of a list on the root or on a parent object. */
export function list(
  path: string,
  node: string,
  more: { args?: string; vars?: string; of?: string } = {},
): Pick<Row, "graph" | "at"> {
  const { args = "", vars = "", of } = more;
  const connection = `${path}(${PAGE}${args}) { edges { cursor node { ${node} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
  const [parent = ""] = (of ?? "").split(/[ (]/);
  return {
    graph: `query(${PAGED}${vars}) { ${of ? `${of} { ${connection} ${"}".repeat(of.split("{").length)}` : connection} }`,
    at: of ? `${parent}.${path}` : path,
  };
}

export const mutation = (name: string, selection: string, at: string): Pick<Row, "graph" | "at"> => ({
  graph: `mutation($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${selection} } }`,
  at: at === "" ? name : `${name}.${at}`,
});
