import type { Command } from "commander";
import { beginMaintenance, endMaintenance, USUAL_MESSAGE } from "../core/services/maintenance/maintenance.ts";
import { isoTime } from "../core/base/clock.ts";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { type Maintenance, maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { positiveDuration } from "../config/parsers.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { withCore } from "./with-core.ts";

const HELP = `
While it is on, people and programs read as ever, and nobody but admins changes anything: writes are
refused with 503, deliveries and the server's own tidying wait. It is taken from the next request on,
outlives a restart, and ends by itself only with --for:
  guildhall maintenance on --message "We are moving to a larger machine." --for 2h`;

export function addMaintenanceCommands(program: Command, environment: Environment): void {
  const maintenance = program
    .command("maintenance")
    .description("have everything rest that is not an admin's, while people go on reading")
    .addHelpText("after", HELP);
  dataOption(maintenance.command("on"))
    .description("begin it, or change what is said of it")
    .option("--message <text>", `what people are told («${USUAL_MESSAGE}»)`)
    .option("--for <duration>", "after which it ends by itself: 30m, 2h, 1d", readDuration)
    .addHelpText("after", HELP)
    .action(async ({ message, for: forMs, ...flags }: DataFlags & { message?: string; for?: number }) => {
      const maintenance = await withCore(environment, flags, (core) =>
        beginMaintenance(core, OPERATOR, { message, forMs }),
      );
      process.stdout.write(`${inWords(maintenance)}\n`);
    });
  dataOption(maintenance.command("off"))
    .description("end it: what waited goes on at once")
    .action(async (flags: DataFlags) => {
      const wasOn = await withCore(environment, flags, (core) => endMaintenance(core, OPERATOR));
      process.stdout.write(wasOn ? "off\n" : "off; it was not on\n");
    });
  dataOption(maintenance.command("status"))
    .description("tell whether it is on, since when, until when, and what people are told")
    .action(async (flags: DataFlags) => {
      const maintenance = await withCore(environment, flags, maintenanceOf);
      process.stdout.write(`${maintenance ? inWords(maintenance) : "off"}\n`);
    });
}

function inWords({ since, until, message }: Maintenance): string {
  const end = until === null ? "until `guildhall maintenance off`" : `until ${isoTime(until)}`;
  return `on since ${isoTime(since)}, ${end}: ${message}`;
}

function readDuration(text: string): number {
  const ms = positiveDuration(text);
  if (ms === undefined) throw new UsageError(`--for is ${JSON.stringify(text)}; write it like 30m, 2h or 1d`);
  return ms;
}
