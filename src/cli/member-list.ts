import type { Command } from "commander";
import { originOf } from "../core/services/imported/imported.ts";
import { previewSecuring } from "../core/delegation/securing/securing.ts";
import { listWorkspaces } from "../core/delegation/workspaces/workspaces.ts";
import type { Core } from "../core/base/core.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import {
  findInMemberList,
  listAdmins,
  listBuilders,
  type MemberListEntry,
} from "../core/identity/builders/member-list.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import {
  readAllPages,
  type JsonFlag,
  jsonOption,
  type Row,
  printJson,
  printParts,
  printRows,
} from "./output.ts";
import { withCore } from "./with-core.ts";

interface ListFlags extends DataFlags, JsonFlag {
  admins?: boolean;
  suspended?: boolean;
}

export function addMemberListCommands(builder: Command, environment: Environment): void {
  jsonOption(dataOption(builder.command("list")))
    .description("List members, newest first: username, standing, joined, id, name")
    .option("--admins", "Only owners and admins")
    .option("--suspended", "Only suspended members")
    .action(async (flags: ListFlags) => {
      const entries = await withCore(environment, flags, (core) =>
        flags.admins
          ? listAdmins(core, OPERATOR)
          : readAllPages((request) => listBuilders(core, OPERATOR, {}, request)),
      );
      const wanted = entries.filter(({ suspendedAt }) => !flags.suspended || suspendedAt !== null);
      const rows = wanted.map(summary);
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  jsonOption(dataOption(builder.command("show <username>")))
    .description("Show a member: standing, sign-in methods, passkeys, workspaces, webhook endpoints")
    .action(async (username: string, flags: DataFlags & JsonFlag) => {
      const row = await withCore(environment, flags, (core) => memberDetails(core, username));
      if (flags.json) printJson(row);
      else printParts(row);
    });
}

function summary({ id, username, name, createdAt, ...entry }: MemberListEntry): Row {
  return { username, standing: standingOf(entry), createdAt, id, name };
}

function standingOf({ role, suspendedAt }: Pick<MemberListEntry, "role" | "suspendedAt">): string {
  const labels = [...(role === "member" ? [] : [role]), ...(suspendedAt === null ? [] : ["suspended"])];
  return labels.join(",") || "member";
}

function memberDetails(core: Core, asked: string): Row {
  const username = foldUsername(asked);
  const entry = findInMemberList(core, OPERATOR, username);
  const { accessCounts, endpoints, passkeys, hasPassword } = previewSecuring(core, OPERATOR, username);
  const origin = originOf(core, entry.id);
  return {
    ...summary(entry),
    suspendedAt: entry.suspendedAt,
    importedFrom: origin ? `${origin.host}/${origin.name}` : null,
    isClaimed: origin?.isClaimed ?? true,
    hasPassword,
    passkeys: passkeys.map(({ id, createdAt, lastUsedAt, name }) => ({ id, createdAt, lastUsedAt, name })),
    sessions: accessCounts.sessions,
    tokens: accessCounts.tokens,
    connectedApps: accessCounts.apps,
    openLinks: accessCounts.links,
    workspaces: listWorkspaces(core, OPERATOR, username).map(({ id, isPersonal, role, name }) => ({
      id,
      kind: isPersonal ? "personal" : "shared",
      role,
      name,
    })),
    endpoints: endpoints.map(({ id, health, url }) => ({ id, state: health.state, url })),
  };
}
