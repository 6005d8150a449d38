import { Argument, type Command, Option } from "commander";
import { parseTimestamp } from "../core/base/timestamp.ts";
import { check } from "../core/base/check.ts";
import type { Core } from "../core/base/core.ts";
import { isId } from "../core/base/ids.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { findInMemberList } from "../core/identity/builders/member-list.ts";
import {
  addCaseNote,
  type Case,
  CASE_STATES,
  CaseNoteDraft,
  getCase,
  type ListedCase,
  listCases,
} from "../core/services/moderation/cases.ts";
import { type Act, ACTS, ActDraft, decide, type Decision } from "../core/services/moderation/decisions.ts";
import { undoDecision, undoDecisionsInBatches } from "../core/services/moderation/undo.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import {
  type JsonFlag,
  jsonOption,
  printJson,
  printParts,
  printRows,
  readAllPages,
  type Row,
} from "./output.ts";
import { withCore } from "./with-core.ts";

interface ListFlags extends DataFlags, JsonFlag {
  state?: (typeof CASE_STATES)[number];
  member?: string;
}

export interface DecideFlags extends DataFlags {
  reason?: string;
  rule?: string;
  until?: string;
}

interface UndoFlags extends DataFlags, JsonFlag {
  of?: string;
  since?: string;
}

/** Acts that one command performs. `builder spam` removes spammers, because it holds link hosts, too. */
const DECIDABLE = ACTS.filter((act) => act !== "remove_spammer");

const DECIDE_HELP = `
Name the case by its id, by the id of a post, job, prompt or message, or by @username.

Acts:
  hide, restore     Hide a post, reply, job, or prompt; make it visible again.
  approve           Publish content that waits for approval.
  lock, unlock      Refuse new replies in a conversation; allow them again.
  warn              Warn a member.
  limit, unlimit    Posts wait for approval, and messages to strangers are refused; lift the limit.
  suspend, unsuspend  Suspend a member; lift the suspension.
  dismiss           Close the case without an act; reject content that waits.

An act that limits a member needs --reason. \`guildhall builder spam\` removes a spammer.`;

const UNDO_HELP = `
Undo decisions by their ids, or everything that one moderator decided since a time:
  guildhall case undo dec_01kafzq8e5f2r8v0j3n6s1t4wx
  guildhall case undo --of mallory --since 2026-11-20T18:00:00Z`;

export function addCaseCommands(program: Command, environment: Environment): void {
  const command = program.command("case").description("Handle cases: reported, hidden, and held content");
  jsonOption(dataOption(command.command("list")))
    .description(
      "List cases, newest first: id, state, cause, time, kind, id and owner of the subject, reason",
    )
    .addOption(
      new Option("--state <state>", "Only cases in this state (default: open)").choices([...CASE_STATES]),
    )
    .option("--member <username>", "Only cases about this member and their content")
    .action(async (flags: ListFlags) => {
      const { state, member } = flags;
      const filter = { ...(state && { state }), ...(member && { member }) };
      const cases = await withCore(environment, flags, (core) =>
        readAllPages((request) => listCases(core, OPERATOR, filter, request)),
      );
      if (flags.json) printJson(cases);
      else printRows(cases.map(rowOf));
    });
  jsonOption(dataOption(command.command("show <case>")))
    .description("Show a case: its subject, reports, notes, decisions, and the member's history")
    .action(async (id: string, flags: DataFlags & JsonFlag) => {
      const found = await withCore(environment, flags, (core) =>
        getCase(core, OPERATOR, subjectOf(core, id)),
      );
      if (flags.json) printJson(found);
      else printParts(detailsOf(found));
    });
  dataOption(command.command("note <case> <text>"))
    .description("Add a note for moderators only")
    .action((id: string, text: string, flags: DataFlags) =>
      withCore(
        environment,
        flags,
        (core) => void addCaseNote(core, OPERATOR, subjectOf(core, id), check(CaseNoteDraft, { text })),
      ),
    );
  decideOptions(dataOption(command.command("decide <case>")))
    .description("Decide a case; print the id of the decision")
    .addArgument(new Argument("<act>", "The act").choices(DECIDABLE))
    .addHelpText("after", DECIDE_HELP)
    .action(async (id: string, act: Act, flags: DecideFlags) => {
      const decision = await withCore(environment, flags, (core) =>
        decideAs(core, subjectOf(core, id), act, flags),
      );
      process.stdout.write(`${decision.id}\n`);
    });
  jsonOption(dataOption(command.command("undo [decisions...]")))
    .description("Undo decisions, all or none, or everything that one moderator decided since a time")
    .option("--of <username>", "The moderator")
    .option("--since <time>", "The time, such as 2026-11-20T18:00:00Z")
    .addHelpText("after", UNDO_HELP)
    .action(async (ids: string[], flags: UndoFlags) => {
      const { of: moderator, since } = flags;
      if ((ids.length === 0) === (moderator === undefined))
        throw new UsageError("Name decisions, or a moderator with --of and --since.");
      if (moderator !== undefined && since === undefined)
        throw new UsageError("Add --since with the time of the first decision to undo.");
      const { undone, kept } = await withCore(environment, flags, (core) =>
        ids.length === 0
          ? undoDecisionsInBatches(
              core,
              OPERATOR,
              { moderator: moderator ?? "", since: timeOf(since ?? "", "--since") },
              core.db.write,
            )
          : core.db.transact(() => ({
              undone: ids.map((id) => undoDecision(core, OPERATOR, id)),
              kept: [],
            })),
      );
      const rows = [
        ...undone.map((decision) => undoneRow(decision, "undone")),
        ...kept.map((decision) => undoneRow(decision, "kept")),
      ];
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
}

/** Adds the options of a decision. Only some acts can end by themselves. */
export function decideOptions(command: Command, { isTimed = true } = {}): Command {
  command
    .option("--reason <text>", "The reason, which the member reads")
    .option("--rule <text>", "The rule of the community that the reason refers to");
  return isTimed
    ? command.option(
        "--until <time>",
        "The end of a limit or suspension, such as 2026-12-01T00:00:00Z (default: none)",
      )
    : command;
}

/** Decides as the operator. */
export function decideAs(
  core: Core,
  subjectId: string,
  act: Act,
  { reason, rule, until }: DecideFlags,
): Decision {
  if (until) timeOf(until, "--until");
  const draft = { act, ...(reason && { reason }), ...(rule && { rule }), ...(until && { until }) };
  return decide(core, OPERATOR, subjectId, check(ActDraft, draft));
}

/** Returns the id of the subject of a case. A case is named by its id, its subject or an `@username`. */
function subjectOf(core: Core, given: string): string {
  if (given.startsWith("@")) return findInMemberList(core, OPERATOR, given.slice(1)).id;
  return isId("case", given) ? getCase(core, OPERATOR, given).subject.id : given;
}

function timeOf(text: string, option: "--since" | "--until"): number {
  const time = parseTimestamp(text);
  if (time === undefined) throw new UsageError(`${option} must be a time such as 2026-11-20T18:00:00Z.`);
  return time;
}

function rowOf({ id, state, cause, openedAt, subject, reason }: ListedCase): Row {
  const { type, id: about, owner } = subject;
  return { id, state, cause, openedAt, type, about, owner, reason };
}

function detailsOf(found: Case): Row {
  const { subject, reports, strangerReports, notes, decisions, history, held, text } = found;
  return {
    ...rowOf(found),
    takenBy: found.takenBy,
    title: subject.title,
    text,
    isHidden: subject.hidden,
    isDeleted: subject.isDeleted,
    brake: held?.brake,
    report: reports.map(({ createdAt, reporter, reason }) => ({ createdAt, reporter, reason })),
    strangerReport: strangerReports.map(({ createdAt, reason }) => ({ createdAt, reason })),
    note: notes.map(({ createdAt, author, text: note }) => ({ createdAt, author, text: note })),
    decision: decisions.map(({ id, createdAt, act, by, reason }) => ({ id, createdAt, act, by, reason })),
    history: history?.decisions.map(({ act, count }) => ({ act, count })) ?? [],
  };
}

function undoneRow({ id, act, subject }: Decision, state: "undone" | "kept"): Row {
  return { id, state, act, type: subject.type, about: subject.id, owner: subject.owner };
}
