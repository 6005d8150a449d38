import { OPERATOR } from "../core/access/caller.ts";
import type { Command } from "commander";
import { BuilderDraft, createBuilder, setSuspended } from "../core/builders/builders.ts";
import { foldUsername } from "../core/builders/username.ts";
import { check } from "../core/check.ts";
import { dataOption } from "./options.ts";
import type { Environment } from "./program.ts";
import { withCore } from "./with-core.ts";

export function addBuilderCommands(program: Command, environment: Environment): void {
  const builder = program.command("builder").description("builders: the people of the community");
  dataOption(builder.command("create <username>"))
    .description("make a builder with a personal workspace; prints their id")
    .option("--name <name>", "the name shown to others (the username)")
    .option("--admin", "may run the community")
    .action(async (username: string, flags: { name?: string; admin?: boolean; data?: string }) => {
      const draft = check(BuilderDraft, {
        username: foldUsername(username),
        name: flags.name ?? username,
        isAdmin: flags.admin === true,
      });
      const id = await withCore(environment, { ...flags, mayCreate: true }, (core) =>
        createBuilder(core, OPERATOR, draft),
      );
      process.stdout.write(`${id}\n`);
    });
  dataOption(builder.command("suspend <username>"))
    .description("lock a builder out: all their tokens stop working at once")
    .action((username: string, flags: { data?: string }) =>
      withCore(environment, flags, (core) => setSuspended(core, OPERATOR, foldUsername(username), true)),
    );
  dataOption(builder.command("restore <username>"))
    .description("let a suspended builder in again")
    .action((username: string, flags: { data?: string }) =>
      withCore(environment, flags, (core) => setSuspended(core, OPERATOR, foldUsername(username), false)),
    );
}
