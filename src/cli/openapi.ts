import type { Command } from "commander";
import { readOrigin } from "../config/config.ts";
import { OPERATIONS } from "../operations/index.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { VERSION } from "../app/version.ts";

export function addOpenApiCommand(program: Command): void {
  program
    .command("openapi")
    .description("Print the OpenAPI 3.1 document of the REST API")
    .option(
      "--origin <origin>",
      "Public URL to put into the document",
      (text) => readOrigin("--origin", text),
      "http://127.0.0.1:8787",
    )
    .action(({ origin }: { origin: string }) => {
      process.stdout.write(`${JSON.stringify(openApiDocument(OPERATIONS, origin, VERSION), null, 2)}\n`);
    });
}
