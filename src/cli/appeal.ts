import { Argument, type Command, Option } from "commander";
import { check } from "../core/base/check.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import {
  AppealAnswer,
  AppealFilter,
  decideAppeal,
  listAppeals,
} from "../core/services/moderation/appeals.ts";
import type { Decision } from "../core/services/moderation/decisions.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { type JsonFlag, jsonOption, printJson, printRows, readAllPages, type Row } from "./output.ts";
import { withCore } from "./with-core.ts";

interface ListFlags extends DataFlags, JsonFlag {
  state?: string;
}

export function addAppealCommands(program: Command, environment: Environment): void {
  const command = program.command("appeal").description("Answer appeals against decisions");
  jsonOption(dataOption(command.command("list")))
    .description(
      "List appeals: id of the decision, act, member, time and text of the appeal, reason of the decision, outcome",
    )
    .addOption(
      new Option("--state <state>", "Only appeals in this state (default: waiting)").choices([
        "waiting",
        "decided",
      ]),
    )
    .action(async ({ state, ...flags }: ListFlags) => {
      const filter = check(AppealFilter, { ...(state && { state }) });
      const appeals = await withCore(environment, flags, (core) =>
        readAllPages((request) => listAppeals(core, OPERATOR, filter, request)),
      );
      if (flags.json) printJson(appeals);
      else printRows(appeals.map(rowOf));
    });
  dataOption(command.command("decide <decision>"))
    .description("Answer an appeal. `granted` undoes the decision.")
    .addArgument(new Argument("<outcome>", "The outcome").choices(["granted", "denied"]))
    .requiredOption("--answer <text>", "The answer, which the member reads")
    .action((id: string, outcome: string, { answer, ...flags }: DataFlags & { answer: string }) => {
      const draft = check(AppealAnswer, { outcome, answer } as AppealAnswer);
      return withCore(environment, flags, (core) => void decideAppeal(core, OPERATOR, id, draft));
    });
}

function rowOf({ id, act, builder, reason, appeal }: Decision): Row {
  const { createdAt, text, decided } = appeal ?? {};
  return { id, act, builder, appealedAt: createdAt, text, reason, outcome: decided?.outcome };
}
