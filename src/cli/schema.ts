import type { Command } from "commander";

export function addSchemaCommand(program: Command): void {
  program
    .command("schema")
    .description("Print the GraphQL schema")
    .action(async () => {
      // Built only here: it takes longer than what any other command does.
      const { printedSchema } = await import("../graphql/schema/index.ts");
      process.stdout.write(printedSchema());
    });
}
