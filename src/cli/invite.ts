import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { listInvites, withdrawInvite } from "../core/identity/accounts/invites.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

export function addInviteCommands(program: Command, environment: Environment): void {
  const invite = program
    .command("invite")
    .description("Manage invitation links (`builder invite` creates one)");
  jsonOption(dataOption(invite.command("list")))
    .description("List open invitations, newest first: id, created, expires, creator, uses, limit, label")
    .action(async (flags: DataFlags & JsonFlag) => {
      const invites = await withCore(environment, flags, (core) => listInvites(core, OPERATOR));
      const rows = invites.map(({ id, createdAt, expiresAt, invitedBy, used, uses, label }) => {
        return { id, createdAt, expiresAt, invitedBy: invitedBy ?? "operator", used, uses, label };
      });
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(invite.command("withdraw <id>"))
    .description("Withdraw an invitation: its link stops working")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => withdrawInvite(core, OPERATOR, id)),
    );
}
