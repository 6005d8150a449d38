import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printedSchema, schema } from "../src/graphql/schema/index.ts";
import { allConnections } from "../tests/graphql/all-connections.ts";
import { idsOf, fillCommunity } from "../tests/graphql/fixture-community.ts";
import { openTestServer } from "../tests/support.ts";

/*
 * Generates typed GraphQL clients, compiles them and reads data with each: `bun run graph-clients`. The
 * generators are graphql-codegen (TypeScript), with a document per connection, and genqlient (Go). The Go
 * client also pages through the feed and checks that a post is rejected. The tests do not run this script,
 * because it needs Go and the registries. All files are installed in a temporary folder.
 */

const PACKAGES = {
  "@graphql-codegen/core": "6.2.1",
  "@graphql-codegen/typescript": "6.1.0",
  "@graphql-codegen/typescript-operations": "6.1.9",
  graphql: "17.1.0",
  typescript: "5.9.3",
};
/**
 * A newer version of golang.org/x/tools, because current Go cannot compile the version that genqlient
 * requires.
 */
const GENQLIENT = ["github.com/Khan/genqlient@v0.8.1", "golang.org/x/tools@v0.52.0"];

const folder = mkdtempSync(join(tmpdir(), "guildhall-graph-clients-"));

async function main(): Promise<void> {
  const server = openTestServer();
  try {
    const community = await fillCommunity(server);
    const documents = allConnections(schema, idsOf(community)).map((walk) =>
      walk.document(walk.name.replace(".", "")),
    );
    await codegen(documents.join("\n"));
    await genqlient(`${server.url}/graphql`, community.ada.token);
  } finally {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

async function codegen(documents: string): Promise<void> {
  const at = join(folder, "codegen");
  await Bun.write(join(at, "package.json"), JSON.stringify({ type: "module", dependencies: PACKAGES }));
  await Bun.write(join(at, "schema.graphql"), printedSchema());
  await Bun.write(join(at, "documents.graphql"), `${documents}\n${WRITE}`);
  await Bun.write(
    join(at, "generate.ts"),
    `import { codegen } from "@graphql-codegen/core";
     import * as types from "@graphql-codegen/typescript";
     import * as operations from "@graphql-codegen/typescript-operations";
     import { buildSchema, parse, printSchema } from "graphql";
     const text = (name) => Bun.file(new URL(name, import.meta.url)).text();
     const schema = parse(await text("schema.graphql"));
     const documents = [{ location: "documents.graphql", document: parse(await text("documents.graphql")) }];
     const config = { strictScalars: true, scalars: { DateTime: "string", JSON: "unknown" } };
     for (const [name, plugin] of Object.entries({ types, operations })) {
       const output = await codegen({
         filename: name, schema, schemaAst: buildSchema(await text("schema.graphql")), documents, config, plugins: [{ [name]: {} }], pluginMap: { [name]: plugin },
       });
       await Bun.write(new URL(name + ".ts", import.meta.url), output);
     }`,
  );
  await run(at, ["bun", "install", "--silent"]);
  await run(at, ["bun", "generate.ts"]);
  await run(at, [
    "node_modules/.bin/tsc",
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    "types.ts",
    "operations.ts",
  ]);
  console.log(`graphql-codegen: the schema and ${documents.split("\n").length} documents, compiled`);
}

const WRITE = `mutation publish($input: CreatePostInput!) {
  createPost(input: $input) { post { id } errors { code message path } }
}`;

async function genqlient(url: string, token: string): Promise<void> {
  const at = join(folder, "genqlient");
  await Bun.write(join(at, "go.mod"), "module example.com/client\n\ngo 1.24\n");
  await Bun.write(join(at, "schema.graphql"), printedSchema());
  await Bun.write(
    join(at, "documents.graphql"),
    `query feed($first: Int, $after: String) {
       feed(first: $first, after: $after) { nodes { id text author { username } } pageInfo { hasNextPage endCursor } }
     }
     query reports { reports { nodes { reason subject { __typename ... on Post { id text } ... on Job { id title } } } } }
     ${WRITE}`,
  );
  await Bun.write(
    join(at, "genqlient.yaml"),
    `schema: schema.graphql
operations: [documents.graphql]
generated: client.go
package: main
optional: pointer
bindings:
  DateTime: { type: string }
  JSON: { type: encoding/json.RawMessage }
`,
  );
  await Bun.write(join(at, "tools.go"), TOOLS);
  await run(at, ["go", "get", ...GENQLIENT]);
  await run(at, ["go", "mod", "tidy"]);
  await run(at, ["go", "run", "github.com/Khan/genqlient"]);
  await Bun.write(join(at, "main.go"), MAIN);
  const output = await run(at, ["go", "run", "client.go", "main.go"], {
    URL: url,
    TOKEN: token,
  });
  if (!output.includes("text_empty")) throw new Error(`the Go client was told of no refusal: ${output}`);
  console.log(`genqlient: ${output.trim()}`);
}

/** Makes Go download the generator's own dependencies before the generator runs. */
const TOOLS = `//go:build tools

package main

import (
	_ "github.com/Khan/genqlient"
	_ "github.com/Khan/genqlient/graphql"
)
`;

const MAIN = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"github.com/Khan/genqlient/graphql"
)

type bearer struct{}

func (bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	return http.DefaultTransport.RoundTrip(request)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	client := graphql.NewClient(os.Getenv("URL"), &http.Client{Transport: bearer{}})
	ctx := context.Background()
	size, posts, pages := 2, 0, 0
	var after *string
	for {
		page, err := feed(ctx, client, &size, after)
		must(err)
		pages++
		posts += len(page.Feed.Nodes)
		if !page.Feed.PageInfo.HasNextPage {
			break
		}
		after = page.Feed.PageInfo.EndCursor
	}
	told, err := reports(ctx, client)
	must(err)
	refused, err := publish(ctx, client, CreatePostInput{Text: ""})
	must(err)
	fmt.Println(posts, "posts on", pages, "pages,", len(told.Reports.Nodes), "reports, refused:", refused.CreatePost.Errors[0].Code)
}
`;
import { run } from "./run.ts";

await main();
