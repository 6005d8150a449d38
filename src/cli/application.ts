import type { Command } from "commander";
import { check } from "../core/base/check.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import {
  AnswerDraft,
  approveApplication,
  declineApplication,
  listApplications,
} from "../core/identity/applications/applications.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { readAllPages, type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

export function addApplicationCommands(program: Command, environment: Environment): void {
  const application = program
    .command("application")
    .description("who asks to be let in, where the community looks at who joins (community set --joining)");
  jsonOption(dataOption(application.command("list")))
    .description("who waits, the longest first: id, when, username, name, why")
    .action(async (flags: DataFlags & JsonFlag) => {
      const waiting = await withCore(environment, flags, (core) =>
        readAllPages((request) => listApplications(core, OPERATOR, request)),
      );
      const rows = waiting.map(({ id, createdAt, username, name, why }) => ({
        id,
        createdAt,
        username,
        name,
        why,
      }));
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  const answers = [
    {
      verb: "approve",
      says: "let somebody in: they have an account from now on",
      answer: approveApplication,
    },
    { verb: "decline", says: "let somebody not in: what they wrote goes", answer: declineApplication },
  ] as const;
  for (const { verb, says, answer } of answers) {
    dataOption(application.command(`${verb} <id>`))
      .description(says)
      .option("--word <text>", "what they read of it")
      .action(async (id: string, { word, ...flags }: DataFlags & { word?: string }) => {
        const draft = check(AnswerDraft, word === undefined ? {} : { word });
        await withCore(environment, flags, (core) => void answer(core, OPERATOR, id, draft));
      });
  }
}
