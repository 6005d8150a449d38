import type { Command } from "commander";
import { beginMaintenance, endMaintenance, USUAL_MESSAGE } from "../core/services/maintenance/maintenance.ts";
import { isoTime } from "../core/base/clock.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { type Maintenance, maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { positiveDuration } from "../config/parsers.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { withCore } from "./with-core.ts";

const HELP = `
In maintenance mode, members and programs can read, and only admins can write. Other writes answer 503, and
deliveries and clean-up tasks wait. Maintenance mode applies from the next request and survives a restart. It ends
automatically only with --for:
  guildhall maintenance on --message "We are moving to a larger machine." --for 2h`;

export function addMaintenanceCommands(program: Command, environment: Environment): void {
  const maintenance = program
    .command("maintenance")
    .description("Pause writes and deliveries while people can still read")
    .addHelpText("after", HELP);
  dataOption(maintenance.command("on"))
    .description("Turn maintenance mode on, or change its message or end time")
    .option("--message <text>", `Message for members (default: “${USUAL_MESSAGE}”)`)
    .option(
      "--for <duration>",
      "End maintenance automatically after this time, such as 30m, 2h, or 1d",
      readDuration,
    )
    .addHelpText("after", HELP)
    .action(async ({ message, for: forMs, ...flags }: DataFlags & { message?: string; for?: number }) => {
      const maintenance = await withCore(environment, flags, (core) =>
        beginMaintenance(core, OPERATOR, { message, forMs }),
      );
      process.stdout.write(`${maintenanceText(maintenance)}\n`);
    });
  dataOption(maintenance.command("off"))
    .description("Turn maintenance mode off; paused work resumes at once")
    .action(async (flags: DataFlags) => {
      const wasInMaintenance = await withCore(environment, flags, (core) => endMaintenance(core, OPERATOR));
      process.stdout.write(wasInMaintenance ? "off\n" : "off (it was already off)\n");
    });
  dataOption(maintenance.command("status"))
    .description("Show whether maintenance mode is on, its start, its end, and its message")
    .action(async (flags: DataFlags) => {
      const maintenance = await withCore(environment, flags, maintenanceOf);
      process.stdout.write(`${maintenance ? maintenanceText(maintenance) : "off"}\n`);
    });
}

function maintenanceText({ since, until, message }: Maintenance): string {
  const end = until === null ? "until `guildhall maintenance off`" : `until ${isoTime(until)}`;
  return `on since ${isoTime(since)}, ${end}: ${message}`;
}

function readDuration(text: string): number {
  const ms = positiveDuration(text);
  if (ms === undefined)
    throw new UsageError(`--for ${JSON.stringify(text)} is not a duration. Write it like 30m, 2h, or 1d.`);
  return ms;
}
