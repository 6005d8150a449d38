/** Writes the generated files that are checked in, so that a change of the contract appears as a diff. */
import { parse, print, visit } from "graphql";
import { printedSchema } from "../src/graphql/schema/index.ts";
import { ARCHITECTURE, ownSources, withPicture } from "./architecture.ts";
import { API_PAGE, apiPage } from "./api-page.ts";
import { REFUSALS_PAGE, refusalsPage } from "./refusals.ts";
import { withMetrics } from "./metrics.ts";
import { OPENAPI_OUTLINE, openApiOutline } from "./openapi-outline.ts";
import { CONTRACT_PAGE, withAccessTable } from "./access-table.ts";
import { OPERATING_PAGE, withSettings } from "./settings.ts";

export const SCHEMA = new URL("../src/graphql/schema.graphql", import.meta.url);

/** Returns the schema without descriptions. `guildhall schema` prints it with descriptions. */
export function bareSchema(): string {
  const bare = visit(parse(printedSchema()), {
    enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined),
  });
  return `${print(bare)}\n`;
}

if (import.meta.main) {
  await Bun.write(OPENAPI_OUTLINE, openApiOutline());
  await Bun.write(SCHEMA, bareSchema());
  await Bun.write(REFUSALS_PAGE, refusalsPage());
  await Bun.write(API_PAGE, apiPage());
  await Bun.write(ARCHITECTURE, withPicture(await Bun.file(ARCHITECTURE).text(), await ownSources()));
  await Bun.write(OPERATING_PAGE, withMetrics(withSettings(await Bun.file(OPERATING_PAGE).text())));
  await Bun.write(CONTRACT_PAGE, withAccessTable(await Bun.file(CONTRACT_PAGE).text()));
  const pages = [SCHEMA, REFUSALS_PAGE, API_PAGE, ARCHITECTURE, OPERATING_PAGE, CONTRACT_PAGE];
  const written = pages.map(({ pathname }) => pathname);
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...written]);
  console.log(written.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", "));
}
