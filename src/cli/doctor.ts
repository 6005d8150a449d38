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
Looks at all that a community stands on, beside a running server or without one, and says of each thing how it
is and what mends it, the worst first. Exit code 1 where something is severe. With --json all of it stands on
stdout: {"at", "checked": [{"check", "severity", "says", "mend"}]}, severity ok, note, warning or severe.
--fix mends what is safe to mend, and says what it did; nothing that anybody wrote is deleted.`;

export function addDoctorCommand(program: Command, environment: Environment): void {
  dataOption(
    program.command("doctor").description("look at everything, and say what is wrong and what mends it"),
  )
    .option("--json", "print it for a program")
    .option("--fix", "mend what is safe to mend")
    .option("--nice", "let everything else on the machine go first")
    .option("--sampled", "of what takes long, look at a part: another one each night")
    .addHelpText("after", HELP)
    .action(async ({ json = false, fix = false, nice = false, sampled = false, ...flags }: DoctorFlags) => {
      if (nice) environment.lowerPriority?.();
      const checkup = await look(environment, flags, fix, sampled);
      process.stdout.write(json ? `${JSON.stringify(checkup, undefined, 2)}\n` : asText(checkup));
      const severe = checkup.checked.filter(({ severity }) => severity === "severe").length;
      if (severe > 0)
        throw new DataRefused(severe === 1 ? "one thing is severe" : `${severe} things are severe`);
    });
}

async function look(
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
    const mend = "correct it: guildhall settings tries them, and says how each is written";
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

const HEADS: Readonly<Record<Severity, string>> = {
  severe: "Severe",
  warning: "Warnings",
  note: "Notes",
  ok: "Well",
};

/** The worst first. */
function asText({ checked }: Checkup): string {
  const parts = SEVERITIES.flatMap((severity) => {
    const rows = checked.filter((each) => each.severity === severity);
    if (rows.length === 0) return [];
    const lines = rows.map(
      ({ check, says, mend }) => `  ${check}: ${says}\n${mend ? `    → ${mend}\n` : ""}`,
    );
    return [`${HEADS[severity]}\n${lines.join("")}`];
  });
  return parts.join("\n");
}
