/** Writes what is generated from the program and checked in, so that a change of the contract shows as a diff. */
import openapiTS, { astToString } from "openapi-typescript";
import { printedSchema } from "../src/graphql/schema/index.ts";
import { OPERATIONS } from "../src/operations/index.ts";
import { openApiDocument } from "../src/rest/openapi.ts";
import { ARCHITECTURE, ownSources, withPicture } from "./architecture.ts";
import { API_PAGE, apiPage } from "./api-page.ts";
import { REFUSALS_PAGE, refusalsPage } from "./refusals.ts";

export const CLIENT_TYPES = new URL("../tests/client/v1.d.ts", import.meta.url);

export const SCHEMA = new URL("../src/graphql/schema.graphql", import.meta.url);

const MIGRATIONS = new URL("../src/core/ground/db/migrations.ts", import.meta.url);

/** The list of the migrations that lie in the folder, each embedded in the program. */
async function migrationsList(): Promise<string> {
  const files = await Array.fromAsync(
    new Bun.Glob("*.sql").scan(new URL("./migrations", MIGRATIONS).pathname),
  );
  const names = files.map((file) => file.replace(".sql", "")).sort();
  return `// Written by \`bun run generate\` from the files in the folder. One that was released is never edited: add the next one.
${names.map((name) => `import m${name.slice(0, 4)} from "./migrations/${name}.sql" with { type: "text" };`).join("\n")}

/** In the order in which they are applied. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
${names.map((name) => `  { name: "${name}", sql: m${name.slice(0, 4)} },`).join("\n")}
];
`;
}

/** The types of a client of the v1 API, made from its OpenAPI document. */
export async function clientTypes(): Promise<string> {
  const document = openApiDocument(OPERATIONS, "http://127.0.0.1:8787", "0.0.0");
  return astToString(await openapiTS(document as never));
}

if (import.meta.main) {
  await Bun.write(MIGRATIONS, await migrationsList());
  await Bun.write(CLIENT_TYPES, await clientTypes());
  await Bun.write(SCHEMA, printedSchema());
  await Bun.write(REFUSALS_PAGE, refusalsPage());
  await Bun.write(API_PAGE, apiPage());
  await Bun.write(ARCHITECTURE, withPicture(await Bun.file(ARCHITECTURE).text(), await ownSources()));
  const written = [MIGRATIONS, CLIENT_TYPES, SCHEMA, REFUSALS_PAGE, API_PAGE, ARCHITECTURE].map(
    ({ pathname }) => pathname,
  );
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...written]);
  console.log(written.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", "));
}
