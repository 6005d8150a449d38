import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from "graphql";
import { printedSchema, schema } from "../../src/graphql/schema/index.ts";
import { SCHEMA } from "../../scripts/generate.ts";

test("schema.graphql is the schema of this program", async () => {
  // The file is laid out by `bun fmt`.
  const checkedIn = buildSchema(await Bun.file(SCHEMA).text());
  expect(`${printSchema(lexicographicSortSchema(checkedIn))}\n`).toBe(printedSchema());
  expect(validateSchema(buildSchema(printedSchema()))).toEqual([]);
});

test("`guildhall schema` prints it", async () => {
  const program = Bun.spawn([process.execPath, "src/cli/guildhall.ts", "schema"], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe",
  });
  expect(await new Response(program.stdout).text()).toBe(printedSchema());
  expect(await program.exited).toBe(0);
});

test("every type, field, argument, input and word of an enum is described", () => {
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

test("every type that CONTRACT names is there, and is a Node", () => {
  const nouns =
    "Post Job Company Prompt Builder Project WebhookEndpoint Event Delivery Attempt Thread Message JobFilter Workspace";
  for (const name of nouns.split(" ")) {
    const type = schema.getType(name);
    expect(isObjectType(type) && type.getInterfaces().map((one) => one.name)).toEqual(["Node"]);
  }
});

test("every mutation takes one input and gives a payload, both with `clientMutationId` (Relay)", () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(mutations.length).toBeGreaterThan(20);
  for (const { name, args, type } of mutations) {
    const capital = name[0]?.toUpperCase() + name.slice(1);
    expect(args.map((one) => `${one.name}: ${one.type}`)).toEqual([`input: ${capital}Input!`]);
    expect(String(type)).toBe(`${capital}Payload`);
    for (const part of [`${capital}Input`, `${capital}Payload`]) {
      const found = schema.getType(part);
      expect(isInputObjectType(found) || isObjectType(found)).toBe(true);
      if (isInputObjectType(found) || isObjectType(found))
        expect(String(found.getFields()["clientMutationId"]?.type)).toBe("ID");
    }
  }
});

test("Relay's own compiler takes the schema, with connections, a mutation and a refetchable fragment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-relay-"));
  try {
    await Bun.write(join(folder, "schema.graphql"), printedSchema());
    await Bun.write(
      join(folder, "src/feed.ts"),
      `import { graphql } from "relay-runtime";
       export const page = graphql\`
         fragment feed_page on Query @refetchable(queryName: "feedPageQuery")
         @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }, tag: { type: "String" }) {
           feed(first: $count, after: $cursor, tag: $tag) @connection(key: "feed_feed") {
             edges { node { id ...feed_post } }
           }
         }\`;
       export const post = graphql\`
         fragment feed_post on Post @refetchable(queryName: "feedPostQuery") {
           text createdAt author { username name } metrics { likes replies }
         }\`;
       export const query = graphql\`query feedQuery { ...feed_page viewer { scopes workspace { webhooks { url } } } }\`;
       export const like = graphql\`
         mutation feedLikeMutation($input: LikePostInput!) { likePost(input: $input) { post { ...feed_post } } }\`;
       export const publish = graphql\`
         mutation feedPublishMutation($input: CreatePostInput!, $connections: [ID!]!) {
           createPost(input: $input) { post @prependNode(connections: $connections, edgeTypeName: "PostEdge") { ...feed_post } }
         }\`;
       export const told = graphql\`subscription feedToldSubscription { postCreated { ...feed_post } }\`;`,
    );
    await Bun.write(
      join(folder, "relay.config.json"),
      JSON.stringify({
        src: "./src",
        schema: "./schema.graphql",
        language: "typescript",
        customScalarTypes: { DateTime: "string", JSON: "unknown" },
      }),
    );
    const compiler = Bun.spawn(
      [join(import.meta.dir, "../../node_modules/.bin/relay-compiler"), "relay.config.json"],
      {
        cwd: folder,
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [told, failed] = await Promise.all([
      new Response(compiler.stdout).text(),
      new Response(compiler.stderr).text(),
    ]);
    expect({ code: await compiler.exited, output: told + failed }).toMatchObject({ code: 0 });
    const made = await Array.fromAsync(new Bun.Glob("src/__generated__/*.ts").scan({ cwd: folder }));
    expect(made.length).toBe(8);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
