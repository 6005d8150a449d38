import type { Command } from "commander";
import { hide, ReasonDraft, restore } from "../core/services/moderation/moderation.ts";
import { check } from "../core/base/check.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { withCore } from "./with-core.ts";

export function addPostCommands(program: Command, environment: Environment): void {
  const post = program
    .command("post")
    .description("Hide posts, replies, jobs, and prompts, or show them again");
  dataOption(post.command("hide <id>"))
    .requiredOption("--reason <text>", "Reason, which the author reads")
    .description(
      "Hide a post, reply, job, or prompt from everyone except its author and the moderators, and settle its reports",
    )
    .action((id: string, flags: DataFlags & { reason: string }) =>
      withCore(
        environment,
        flags,
        (core) => void hide(core, OPERATOR, id, check(ReasonDraft, { reason: flags.reason })),
      ),
    );
  dataOption(post.command("restore <id>"))
    .description("Make hidden content visible again and reopen its reports")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void restore(core, OPERATOR, id)),
    );
}
