import type { Command } from "commander";
import { type Config, ConfigError } from "../config/config.ts";
import { type Checkup, SEVERITIES, type Severity } from "../core/services/checkup/checkup.ts";
import { systemClock } from "../core/base/clock.ts";
import { runChecks } from "../operate/doctor/doctor.ts";
import { openNetwork } from "../operate/doctor/network.ts";
import { DataRefused } from "../app/data-folder.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { configOf } from "./with-core.ts";

interface DoctorFlags extends DataFlags {
  json?: boolean;
  fix?: boolean;
  nice?: boolean;
  sampled?: boolean;
}

const HELP = `
Checks everything that the community depends on, with or without a running server. Prints the findings, worst
first, each with its fix. Exit code 1: at least one finding is severe.
--json prints {"at", "checked": [{"check", "severity", "says", "mend"}]}. The severity is ok, note, warning, or severe.
--fix applies the safe fixes and reports them. It deletes nothing that a member wrote.`;

export function addDoctorCommand(program: Command, environment: Environment): void {
  dataOption(program.command("doctor").description("Check everything; report problems and their fixes"))
    .option("--json", "Print JSON")
    .option("--fix", "Apply the fixes that are safe")
    .option("--nice", "Run with the lowest CPU and disk priority")
    .option("--sampled", "Run only the part of each slow check that is due tonight")
    .addHelpText("after", HELP)
    .action(async ({ json = false, fix = false, nice = false, sampled = false, ...flags }: DoctorFlags) => {
      if (nice) environment.lowerPriority?.();
      const checkup = await runDoctor(environment, flags, fix, sampled);
      process.stdout.write(json ? `${JSON.stringify(checkup, undefined, 2)}\n` : asText(checkup));
      const severe = checkup.checked.filter(({ severity }) => severity === "severe").length;
      if (severe > 0)
        throw new DataRefused(severe === 1 ? "1 severe finding." : `${severe} severe findings.`);
    });
}

async function runDoctor(
  environment: Environment,
  flags: DataFlags,
  isFixing: boolean,
  isSampled: boolean,
): Promise<Checkup> {
  const { now } = systemClock;
  let config: Config;
  try {
    config = configOf(environment, flags);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const mend = "Correct the setting. `guildhall settings` checks all of them and shows how to write each.";
    return { at: now(), checked: [{ check: "settings", severity: "severe", says: error.message, mend }] };
  }
  const bar = progressBar();
  try {
    return await runChecks({
      config,
      now,
      network: openNetwork(),
      isFixing,
      isSampled,
      onProgress: (name, done, total) => bar.show(done, total, name),
    });
  } finally {
    bar.done();
  }
}

const HEADINGS: Readonly<Record<Severity, string>> = {
  severe: "Severe",
  warning: "Warnings",
  note: "Notes",
  ok: "OK",
};

/** Formats the findings, the most severe first. */
function asText({ checked }: Checkup): string {
  const parts = SEVERITIES.flatMap((severity) => {
    const rows = checked.filter((each) => each.severity === severity);
    if (rows.length === 0) return [];
    const lines = rows.map(
      ({ check, says, mend }) => `  ${check}: ${says}\n${mend ? `    → ${mend}\n` : ""}`,
    );
    return [`${HEADINGS[severity]}\n${lines.join("")}`];
  });
  return parts.join("\n");
}
