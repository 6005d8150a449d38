import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { check } from "../core/base/check.ts";
import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  listMembers,
  listSharedWorkspaces,
  listWorkspaces,
  removeMember,
  setRole,
  WorkspaceDraft,
} from "../core/delegation/workspaces/workspaces.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { readAllPages, type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

export function addWorkspaceCommands(program: Command, environment: Environment): void {
  const workspace = program
    .command("workspace")
    .description("Manage workspaces, which own tokens, webhooks, and apps");
  dataOption(workspace.command("create <name>"))
    .description("Create a shared workspace; print its id")
    .requiredOption("--owner <username>", "Owner, who manages its members")
    .action(async (name: string, flags: DataFlags & { owner: string }) => {
      const draft = check(WorkspaceDraft, { name });
      const id = await withCore(environment, flags, (core) =>
        createWorkspace(core, OPERATOR, foldUsername(flags.owner), draft),
      );
      process.stdout.write(`${id}\n`);
    });
  jsonOption(dataOption(workspace.command("list [username]")))
    .description("List the shared workspaces, or all workspaces of one member: id, kind, members, name")
    .action(async (username: string | undefined, flags: DataFlags & JsonFlag) => {
      const workspaces = await withCore(environment, flags, (core) =>
        username === undefined
          ? readAllPages((request) => listSharedWorkspaces(core, OPERATOR, request))
          : listWorkspaces(core, OPERATOR, foldUsername(username)),
      );
      const rows = workspaces.map(({ id, isPersonal, members, name }) => {
        return { id, kind: isPersonal ? "personal" : "shared", members, name };
      });
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(workspace.command("delete <workspace>"))
    .description("Delete a shared workspace: its tokens, webhooks, and apps stop working at once")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => deleteWorkspace(core, OPERATOR, id)),
    );
  addMemberCommands(workspace, environment);
}

function addMemberCommands(workspace: Command, environment: Environment): void {
  const member = workspace.command("member").description("Manage the members of a shared workspace");
  jsonOption(dataOption(member.command("list <workspace>")))
    .description("List the members of a shared workspace: username, role, name")
    .action(async (id: string, flags: DataFlags & JsonFlag) => {
      const members = await withCore(environment, flags, (core) => listMembers(core, OPERATOR, id));
      const rows = members.map(({ username, role, name }) => ({ username, role, name }));
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  dataOption(member.command("add <workspace> <username>"))
    .description("Add a member to the workspace")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => addMember(core, OPERATOR, id, foldUsername(username))),
    );
  dataOption(member.command("own <workspace> <username>"))
    .description("Make a member an owner of the workspace")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => setRole(core, OPERATOR, id, foldUsername(username), "owner")),
    );
  dataOption(member.command("remove <workspace> <username>"))
    .description("Remove a member; their tokens in the workspace stop working at once")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => removeMember(core, OPERATOR, id, foldUsername(username))),
    );
}
