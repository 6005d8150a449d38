import type { Command } from "commander";
import { hide, restore } from "../core/services/moderation/moderation.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { withCore } from "./with-core.ts";

export function addPostCommands(program: Command, environment: Environment): void {
  const post = program.command("post").description("what builders wrote: posts, replies, jobs, prompts");
  dataOption(post.command("hide <id>"))
    .description("take one out of everybody's sight but its author's; settles the reports about it")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void hide(core, OPERATOR, id)),
    );
  dataOption(post.command("restore <id>"))
    .description("put it back as it was; the reports about it are open again")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void restore(core, OPERATOR, id)),
    );
}
