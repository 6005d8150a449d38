import type { Command } from "commander";
import { originOf } from "../core/services/imported/imported.ts";
import { previewSecuring } from "../core/delegation/securing/securing.ts";
import { listWorkspaces } from "../core/delegation/workspaces/workspaces.ts";
import type { Core } from "../core/base/core.ts";
import { parseTimestamp } from "../core/base/timestamp.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import {
  findInMemberList,
  listAdmins,
  listBuilders,
  type MemberListEntry,
  type MemberListFilter,
} from "../core/identity/builders/member-list.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
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
  newSince?: string;
  inviter?: string;
  network?: string;
  linkHost?: string;
}

const LIST_HELP = `
Several options together list the members whom all of them match. To remove a wave of spammers, read the list, then:
  guildhall builder list --new-since 2026-11-20T18:00:00Z --link-host spam.example | cut -f1 > names
  xargs guildhall builder spam --preview < names`;

export function addMemberListCommands(builder: Command, environment: Environment): void {
  jsonOption(dataOption(builder.command("list")))
    .description("List members, newest first: username, standing, joined, id, name")
    .option("--admins", "Only owners and admins")
    .option("--suspended", "Only suspended members")
    .option("--new-since <time>", "Only members who joined after this time, such as 2026-11-20T18:00:00Z")
    .option("--inviter <username>", "Only members whom this member invited")
    .option(
      "--network <username>",
      "Only members who signed up from the network of this member within 30 days",
    )
    .option("--link-host <host>", "Only members whose newest posts link to this host")
    .addHelpText("after", LIST_HELP)
    .action(async (flags: ListFlags) => {
      const filter = filterOf(flags);
      if (flags.admins && Object.values(filter).some((value) => value !== undefined))
        throw new UsageError("`--admins` can be combined with `--suspended` only.");
      const entries = await withCore(environment, flags, (core) =>
        flags.admins
          ? listAdmins(core, OPERATOR)
          : readAllPages((request) => listBuilders(core, OPERATOR, filter, request)),
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

function filterOf({ newSince: since, inviter, network, linkHost }: ListFlags): MemberListFilter {
  const newSince = since === undefined ? undefined : parseTimestamp(since);
  if (since !== undefined && newSince === undefined)
    throw new UsageError("--new-since must be a time such as 2026-11-20T18:00:00Z.");
  return { newSince, inviter, network, linkHost };
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
