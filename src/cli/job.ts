import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { check } from "../core/base/check.ts";
import { publishJob } from "../core/community/jobs/jobs.ts";
import { JobDraft } from "../core/community/jobs/job.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { type DataFlags, dataOption, type Environment, UsageError } from "./options.ts";
import { withCore } from "./with-core.ts";

const EXAMPLE = `
The file holds one job:
  {
    "title": "Senior Rust Engineer",
    "company": { "name": "Tidewater Systems", "slug": "tidewater-systems" },
    "location": "Berlin, Germany", "city": "berlin", "remote": false,
    "seniority": "senior", "stack": ["rust", "postgres"],
    "salary": { "min": 85000, "max": 110000, "currency": "EUR" },
    "description": "Markdown, up to 20,000 characters",
    "apply_url": "https://tidewater-systems.example.com/careers/1"
  }
\`city\` is optional.`;

export function addJobCommands(program: Command, environment: Environment): void {
  const job = program.command("job").description("Manage the jobs board");
  dataOption(job.command("publish"))
    .description("Publish a job; print its id")
    .requiredOption("--file <file>", "JSON file with the job; - reads standard input")
    .addHelpText("after", EXAMPLE)
    .action(async (flags: DataFlags & { file: string }) => {
      const draft = check(JobDraft, readJsonFile(flags.file));
      const { id } = await withCore(environment, { ...flags, mayCreate: true }, (core) =>
        publishJob(core, OPERATOR, draft),
      );
      process.stdout.write(`${id}\n`);
    });
}

function readJsonFile(file: string): unknown {
  const name = file === "-" ? "Standard input" : file;
  let text: string;
  try {
    text = (file === "-" ? readFileSync(0) : readRegularFile(file, { mayBePipe: true })).toString("utf8");
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`${name} cannot be read (${reason}).`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${name} is not valid JSON.`);
  }
}
