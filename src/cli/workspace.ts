import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { check } from "../core/ground/check.ts";
import type { Core } from "../core/ground/core.ts";
import { PAGE_LIMIT } from "../core/ground/page.ts";
import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  listMembers,
  listSharedWorkspaces,
  listWorkspaces,
  removeMember,
  setRole,
  type Workspace,
  WorkspaceDraft,
} from "../core/delegation/workspaces/workspaces.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { withCore } from "./with-core.ts";

export function addWorkspaceCommands(program: Command, environment: Environment): void {
  const workspace = program
    .command("workspace")
    .description("workspaces: what tokens and webhooks belong to");
  dataOption(workspace.command("create <name>"))
    .description("make a shared workspace; prints its id")
    .requiredOption("--owner <username>", "who decides who is in it")
    .action(async (name: string, flags: DataFlags & { owner: string }) => {
      const draft = check(WorkspaceDraft, { name });
      const id = await withCore(environment, flags, (core) =>
        createWorkspace(core, OPERATOR, foldUsername(flags.owner), draft),
      );
      process.stdout.write(`${id}\n`);
    });
  dataOption(workspace.command("list [username]"))
    .description("the shared workspaces, or all those of a builder: id, kind, members, name")
    .action(async (username: string | undefined, flags: DataFlags) => {
      const workspaces = await withCore(environment, flags, (core) =>
        username === undefined
          ? [...allShared(core)]
          : listWorkspaces(core, OPERATOR, foldUsername(username)),
      );
      for (const { id, isPersonal, members, name } of workspaces)
        process.stdout.write(`${[id, isPersonal ? "personal" : "shared", members, name].join("\t")}\n`);
    });
  dataOption(workspace.command("delete <workspace>"))
    .description("delete a shared workspace: its tokens, webhooks and apps stop working at once")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => deleteWorkspace(core, OPERATOR, id)),
    );
  addMemberCommands(workspace, environment);
}

function addMemberCommands(workspace: Command, environment: Environment): void {
  const member = workspace.command("member").description("who is in a shared workspace");
  dataOption(member.command("list <workspace>"))
    .description("its members: username, role, name")
    .action(async (id: string, flags: DataFlags) => {
      const members = await withCore(environment, flags, (core) => listMembers(core, OPERATOR, id));
      for (const { username, role, name } of members)
        process.stdout.write(`${[username, role, name].join("\t")}\n`);
    });
  dataOption(member.command("add <workspace> <username>"))
    .description("put a builder in, by the workspace's id")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => addMember(core, OPERATOR, id, foldUsername(username))),
    );
  dataOption(member.command("own <workspace> <username>"))
    .description("make a member an owner of it")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => setRole(core, OPERATOR, id, foldUsername(username), "owner")),
    );
  dataOption(member.command("remove <workspace> <username>"))
    .description("put a builder out: their tokens in it stop working at once")
    .action((id: string, username: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => removeMember(core, OPERATOR, id, foldUsername(username))),
    );
}

function* allShared(core: Core): Iterable<Workspace> {
  for (let cursor: string | undefined; ;) {
    const page = listSharedWorkspaces(core, OPERATOR, { limit: PAGE_LIMIT.max, cursor });
    yield* page.nodes;
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || !last) return;
    cursor = page.cursorOf(last);
  }
}
