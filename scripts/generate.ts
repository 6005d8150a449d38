/**
 * Writes what is generated from the program and checked in, so that a change of the contract shows as a diff.
 */
import openapiTS, { astToString } from "openapi-typescript";
import { printedSchema } from "../src/graphql/schema/index.ts";
import { OPERATIONS } from "../src/operations/index.ts";
import { openApiDocument } from "../src/rest/openapi.ts";
import { ARCHITECTURE, ownSources, withPicture } from "./architecture.ts";
import { API_PAGE, apiPage } from "./api-page.ts";
import { REFUSALS_PAGE, refusalsPage } from "./refusals.ts";
import { withMetrics } from "./metrics.ts";
import { CONTRACT_PAGE, withRights } from "./rights.ts";
import { OPERATING_PAGE, withSettings } from "./settings.ts";

export const CLIENT_TYPES = new URL("../tests/client/v1.d.ts", import.meta.url);

export const SCHEMA = new URL("../src/graphql/schema.graphql", import.meta.url);

/** The types of a client of the v1 API, made from its OpenAPI document. */
export async function clientTypes(): Promise<string> {
  const document = openApiDocument(OPERATIONS, "http://127.0.0.1:8787", "0.0.0");
  return astToString(await openapiTS(document as never));
}

if (import.meta.main) {
  await Bun.write(CLIENT_TYPES, await clientTypes());
  await Bun.write(SCHEMA, printedSchema());
  await Bun.write(REFUSALS_PAGE, refusalsPage());
  await Bun.write(API_PAGE, apiPage());
  await Bun.write(ARCHITECTURE, withPicture(await Bun.file(ARCHITECTURE).text(), await ownSources()));
  await Bun.write(OPERATING_PAGE, withMetrics(withSettings(await Bun.file(OPERATING_PAGE).text())));
  await Bun.write(CONTRACT_PAGE, withRights(await Bun.file(CONTRACT_PAGE).text()));
  const pages = [CLIENT_TYPES, SCHEMA, REFUSALS_PAGE, API_PAGE, ARCHITECTURE, OPERATING_PAGE, CONTRACT_PAGE];
  const written = pages.map(({ pathname }) => pathname);
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...written]);
  console.log(written.map((path) => path.slice(path.lastIndexOf("/") + 1)).join(", "));
}
