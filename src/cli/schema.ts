import type { Command } from "commander";

export function addSchemaCommand(program: Command): void {
  program
    .command("schema")
    .description("Print the GraphQL schema")
    .action(async () => {
      // Imported only here, because building the schema takes longer than any other command.
      const { printedSchema } = await import("../graphql/schema/index.ts");
      process.stdout.write(printedSchema());
    });
}
