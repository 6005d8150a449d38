import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { type AuditEntry, listAudit } from "../core/identity/audit/audit.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { findInMemberList } from "../core/identity/builders/member-list.ts";
import { type DataFlags, dataOption, type Environment, wholeNumber } from "./options.ts";
import { readAllPages, type JsonFlag, jsonOption, printJson, printRows } from "./output.ts";
import { withCore } from "./with-core.ts";

interface ListFlags extends DataFlags, JsonFlag {
  builder?: string;
  limit: number;
}

export function addAuditCommands(program: Command, environment: Environment): void {
  const audit = program.command("audit").description("Read the audit log: who changed what on which account");
  jsonOption(dataOption(audit.command("list")))
    .description("List entries, newest first: time, actor, subject, IP address, action, description")
    .option("--builder <username>", "Only entries about this member")
    .option("--limit <n>", "Maximum number of entries", wholeNumber("--limit", 1, 1_000_000), 100)
    .action(async ({ builder, limit, ...flags }: ListFlags) => {
      const entries = await withCore(environment, flags, (core) => {
        const about =
          builder === undefined ? undefined : findInMemberList(core, OPERATOR, foldUsername(builder)).id;
        return readAllPages((request) => listAudit(core, OPERATOR, { of: "all", about }, request), limit);
      });
      if (flags.json) printJson(entries);
      else printRows(entries.map(rowOf));
    });
}

function rowOf({ createdAt, actor, subject, address, act, words: text }: AuditEntry) {
  return { createdAt, actor, subject, address, act, words: text };
}
