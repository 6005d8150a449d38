// Tests docs/contract.md#8.1 and docs/contract.md#8.12.
import { expect, test } from "bun:test";
import { join } from "node:path";
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
  print,
  validateSchema,
} from "graphql";
import { printedSchema, schema } from "../../src/graphql/schema/index.ts";
import { compileRelay } from "./relay.ts";
import { bareSchema, SCHEMA } from "../../scripts/generate.ts";

test("`schema.graphql` is the schema of this program, without descriptions", async () => {
  // `bun fmt` formats the file.
  const checkedIn = print(parse(await Bun.file(SCHEMA).text()));
  expect(`${checkedIn}\n`).toBe(bareSchema());
  expect(validateSchema(buildSchema(printedSchema()))).toEqual([]);
});

test("`guildhall schema` prints the schema with descriptions", async () => {
  const program = Bun.spawn([process.execPath, "src/cli/guildhall.ts", "schema"], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe",
  });
  expect(await new Response(program.stdout).text()).toBe(printedSchema());
  expect(await program.exited).toBe(0);
});

test("every type, field, argument, input and enum value has a description", () => {
  const bare: string[] = [];
  const ask = (name: string, description: string | null | undefined): void => {
    if (!description || !/^[A-Z0-9`\d].*[.]$/s.test(description.trim())) bare.push(`${name}: ${description}`);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    ask(type.name, type.description);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        ask(`${type.name}.${field.name}`, field.description);
        for (const argument of field.args)
          ask(`${type.name}.${field.name}(${argument.name})`, argument.description);
      }
    } else if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        ask(`${type.name}.${field.name}`, field.description);
    } else if (isEnumType(type)) {
      for (const value of type.getValues()) if (!value.description) bare.push(`${type.name}.${value.name}`);
    }
  }
  expect(bare).toEqual([]);
});

test("every type of the contract exists and is a Node", () => {
  const nouns =
    "Post Job Company Prompt Builder Project WebhookEndpoint Event Delivery Attempt Thread Message JobFilter Workspace XpEntry Report Notification Block FollowedTag JobMatch SearchResult";
  for (const name of nouns.split(" ")) {
    const type = schema.getType(name);
    expect(
      isObjectType(type) && type.getInterfaces().map((graphQLInterfaceType) => graphQLInterfaceType.name),
    ).toEqual(["Node"]);
  }
});

test("every type with an identifier is a Node, because two types of one id overwrite each other in a client's cache", () => {
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && type.getFields()["id"] && type.getInterfaces().length === 0,
  );
  expect(others.map(({ name }) => name)).toEqual([]);
});

test("every mutation takes one input and returns a payload, both with `clientMutationId` (Relay)", () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(mutations.length).toBeGreaterThan(20);
  for (const { name, args, type } of mutations) {
    const capital = name[0]?.toUpperCase() + name.slice(1);
    expect(args.map((arg) => `${arg.name}: ${arg.type}`)).toEqual([`input: ${capital}Input!`]);
    expect(String(type)).toBe(`${capital}Payload`);
    for (const part of [`${capital}Input`, `${capital}Payload`]) {
      const found = schema.getType(part);
      expect(isInputObjectType(found) || isObjectType(found)).toBe(true);
      if (isInputObjectType(found) || isObjectType(found))
        expect(String(found.getFields()["clientMutationId"]?.type)).toBe("ID");
    }
  }
});

test("Relay's own compiler accepts the schema, with connections, a mutation and a refetchable fragment", async () => {
  using compiled = await compileRelay({
    feed: [
      `
         fragment feed_page on Query @refetchable(queryName: "feedPageQuery")
         @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }, tag: { type: "String" }) {
           feed(first: $count, after: $cursor, tag: $tag) @connection(key: "feed_feed") {
             edges { node { id ...feed_post } }
           }
         }`,
      `
         fragment feed_post on Post @refetchable(queryName: "feedPostQuery") {
           text createdAt author { username name } metrics { likes replies }
         }`,
      `query feedQuery { ...feed_page viewer { scopes workspace { webhooks { url } } } }`,
      `
         mutation feedLikeMutation($input: LikePostInput!) { likePost(input: $input) { post { ...feed_post } } }`,
      `
         mutation feedPublishMutation($input: CreatePostInput!, $connections: [ID!]!) {
           createPost(input: $input) { post @prependNode(connections: $connections, edgeTypeName: "PostEdge") { ...feed_post } }
         }`,
      `subscription feedToldSubscription { postCreated { ...feed_post } }`,
    ],
  });
  expect({ code: compiled.code, output: compiled.output }).toMatchObject({ code: 0 });
  const created = await Array.fromAsync(
    new Bun.Glob("src/__generated__/*.ts").scan({ cwd: compiled.folder }),
  );
  expect(created.length).toBe(8);
});
