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
    .description("Answer join requests (needs `community set --joining approval`)");
  jsonOption(dataOption(application.command("list")))
    .description("List pending join requests, oldest first: id, time, username, name, reason")
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
      says: "Approve a join request: create the account",
      answer: approveApplication,
    },
    { verb: "decline", says: "Decline a join request and delete it", answer: declineApplication },
  ] as const;
  for (const { verb, says, answer } of answers) {
    dataOption(application.command(`${verb} <id>`))
      .description(says)
      .option("--word <text>", "Message to the applicant")
      .action(async (id: string, { word, ...flags }: DataFlags & { word?: string }) => {
        const draft = check(AnswerDraft, word === undefined ? {} : { word });
        await withCore(environment, flags, (core) => void answer(core, OPERATOR, id, draft));
      });
  }
}
