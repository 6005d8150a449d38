import { Argument, type Command, Option } from "commander";
import { hide, suspendBuilder } from "../core/services/moderation/moderation.ts";
import {
  dismissReport,
  getReports,
  listReports,
  reopenReport,
  type Report,
  REPORT_STATES,
  type ReportState,
} from "../core/services/moderation/reports.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
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

/** Possible decisions: act on the reported content, act on its author, or do nothing. */
const DECISIONS: Readonly<Record<string, (core: Core, report: Report, reason: string) => unknown>> = {
  // A builder cannot be hidden as a post can, so the account is suspended instead.
  hide: (core, { subject }, reason) =>
    subject.type === "builder"
      ? suspendBuilder(core, OPERATOR, subject.owner ?? "", { reason })
      : hide(core, OPERATOR, subject.id, { reason }),
  suspend: (core, { subject }, reason) => suspendBuilder(core, OPERATOR, subject.owner ?? "", { reason }),
  dismiss: (core, { id }, reason) => dismissReport(core, OPERATOR, id, reason),
  reopen: (core, { id }) => reopenReport(core, OPERATOR, id),
};

const DECIDE_HELP = `
Decisions:
  hide     Hide the post, reply, job, or prompt. \`post restore\` undoes it. If its author has
           deleted it, the reports are only marked as upheld.
  suspend  Suspend its author. \`builder restore\` undoes it.
  dismiss  Close the reports as unfounded. \`reopen\` undoes it.
  reopen   Open the reports again.

A decision applies to all reports about the same thing.`;

interface ListFlags extends DataFlags, JsonFlag {
  state?: ReportState;
}

export function addReportCommands(program: Command, environment: Environment): void {
  const report = program.command("report").description("Handle members' reports");
  jsonOption(dataOption(report.command("list")))
    .description(
      "List reports, newest first: id, state, time, reporter, kind, id and owner of the subject, reason",
    )
    .addOption(new Option("--state <state>", "Only reports in this state").choices([...REPORT_STATES]))
    .action(async (flags: ListFlags) => {
      const reports = await withCore(environment, flags, (core) =>
        readAllPages((request) => listReports(core, OPERATOR, { state: flags.state }, request)),
      );
      if (flags.json) printJson(reports);
      else printRows(reports.map(rowOf));
    });
  jsonOption(dataOption(report.command("show <id>")))
    .description("Show a report and its subject")
    .action(async (id: string, flags: DataFlags & JsonFlag) => {
      const found = await withCore(environment, flags, (core) => findReport(core, id));
      if (flags.json) printJson(found);
      else printParts(detailsOf(found));
    });
  dataOption(report.command("decide <id>"))
    .description("Decide a report and all others about the same thing")
    .addArgument(new Argument("<decision>", "Decision to apply").choices(Object.keys(DECISIONS)))
    .option("--reason <text>", "Reason, which the member reads; required to hide and suspend", "")
    .addHelpText("after", DECIDE_HELP)
    .action((id: string, decision: string, flags: DataFlags & { reason: string }) =>
      withCore(environment, flags, (core) =>
        core.db.transact(() => void DECISIONS[decision]?.(core, findReport(core, id), flags.reason)),
      ),
    );
}

function findReport(core: Core, id: string): Report {
  const [found] = getReports(core, OPERATOR, [id]);
  if (!found) throw refuse("report_unknown");
  return found;
}

function rowOf({ id, settled, createdAt, reporter, subject, reason }: Report): Row {
  const state = settled?.outcome ?? "open";
  return {
    id,
    state,
    createdAt,
    reporter,
    type: subject.type,
    about: subject.id,
    owner: subject.owner,
    reason,
  };
}

function detailsOf(report: Report): Row {
  const { subject, settled } = report;
  return {
    ...rowOf(report),
    title: subject.title,
    text: subject.text,
    isHidden: subject.hidden,
    isDeleted: subject.isDeleted,
    settledAt: settled?.at,
    settledBy: settled?.by,
  };
}
