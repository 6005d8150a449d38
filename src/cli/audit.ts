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
  const audit = program.command("audit").description("the audit log: who did what to whose account");
  jsonOption(dataOption(audit.command("list")))
    .description("newest first: when, by whom, about whom, from where, act, in words")
    .option("--builder <username>", "only what is about this account")
    .option("--limit <n>", "so many (100)", wholeNumber("--limit", 1, 1_000_000), 100)
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

function rowOf({ createdAt, actor, subject, address, act, words }: AuditEntry) {
  return { createdAt, actor, subject, address, act, words };
}
