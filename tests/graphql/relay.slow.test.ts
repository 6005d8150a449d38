import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import {
  createOperationDescriptor,
  Environment,
  Network,
  type OperationDescriptor,
  RecordSource,
  Store,
} from "relay-runtime";
import { schema } from "../../src/graphql/schema/index.ts";
import { type TestServer, openTestServer } from "../support.ts";
import { allConnections, type Walk, fullPageSizeOf } from "./all-connections.ts";
import { graph } from "./ask.ts";
import { compileRelay } from "./relay.ts";
import { idsOf, fillCommunity } from "./fixture-community.ts";

/*
 * Relay's runtime keeps one record per id. It warns if two types share an id, or if one response has two
 * values for the same field of an id.
 */

let warnings: string[] = [];
const said = (...words: unknown[]): void => void warnings.push(words.join(" "));
let spies: { mockRestore(): void }[] = [];
beforeEach(() => {
  warnings = [];
  spies = [spyOn(console, "error").mockImplementation(said), spyOn(console, "warn").mockImplementation(said)];
});
afterEach(() => spies.forEach((spy) => spy.mockRestore()));

function relay(server: TestServer, token: string): Environment {
  return new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }, variables) => {
      const { body } = await graph(server, token, text ?? "", { variables });
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return body as never;
    }),
  });
}

/** Reads page by page with Relay's store and returns the edges that the store has at the end. */
async function walk(
  environment: Environment,
  artifact: never,
  { path, variables }: Walk,
): Promise<{ cursor: string }[]> {
  const operationOf = (page: object): OperationDescriptor =>
    createOperationDescriptor(artifact, { ...variables, ...page } as never);
  const first = operationOf({ first: 1, after: null });
  environment.retain(first);
  let operation = first;
  for (let page = 0; page < 50; page++) {
    await environment.execute({ operation }).toPromise();
    const shown = environment.lookup(first.fragment);
    const list = path.reduce((value, name) => value?.[name], shown.data as any);
    if (!list.pageInfo.hasNextPage) return list.edges;
    operation = operationOf({ first: 2, after: list.pageInfo.endCursor });
  }
  throw new Error("the walk does not end");
}

test("Relay's runtime reads every connection completely without console warnings", async () => {
  await using server = openTestServer();
  const community = await fillCommunity(server);
  const walks = allConnections(schema, idsOf(community));
  expect(walks.length).toBeGreaterThan(20);
  const operation = (name: string): string => `${name.replace(".", "")}Query`;
  using compiled = await compileRelay(
    Object.fromEntries(
      walks.map((item) => [
        item.name.replace(".", ""),
        [
          item.document(
            operation(item.name),
            `@connection(key: "${item.name.replace(".", "")}_${item.field}")`,
          ),
        ],
      ]),
    ),
  );
  expect({ code: compiled.code, output: compiled.output }).toMatchObject({ code: 0 });
  // All walks share one store, so records from one list are reused in others.
  const environment = relay(server, community.ada.token);
  for (const item of walks) {
    const artifact = await compiled.artifact(operation(item.name));
    const whole = await graph(server, community.ada.token, item.document("whole"), {
      variables: { ...item.variables, first: fullPageSizeOf(item), after: null },
    });
    expect([item.name, whole.body.errors]).toEqual([item.name, undefined]);
    const list = item.path.reduce((value, name) => value?.[name], whole.body.data);
    expect(list.edges.length, item.name).toBeGreaterThan(0);
    const seen = await walk(environment, artifact as never, item);
    expect([item.name, seen.map(({ cursor }) => cursor)]).toEqual([
      item.name,
      list.edges.map(({ cursor }: { cursor: string }) => cursor),
    ]);
    expect([item.name, warnings]).toEqual([item.name, []]);
  }
});
