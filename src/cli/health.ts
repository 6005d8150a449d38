import type { Command } from "commander";
import { existsSync } from "node:fs";
import { readOrigin } from "../config.ts";
import { SECOND } from "../core/ground/clock.ts";
import { DataRefused } from "../ground.ts";
import { readAddress } from "../ops/address.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

/** A server that takes longer than this is not well. */
const ANSWER_MS = 5 * SECOND;
/** The environment's proxies have no part in it. Of all values only this one, which the types do not know, says so. */
const NO_PROXY = false as unknown as string;

const HELP = `
Asks /healthz now, and says in one line how it went: exit code 0 where the server answers that it is well,
1 otherwise. Without --url it asks the server that holds the data folder, at the address which that wrote
beside its lock (guildhall.address). For HEALTHCHECK of a container, and for whoever watches services.`;

export function addHealthCommand(program: Command, environment: Environment): void {
  dataOption(program.command("health").description("ask the server whether it is well"))
    .option("--url <origin>", "another server's address", (text) => readOrigin("--url", text))
    .addHelpText("after", HELP)
    .action(async ({ url, ...flags }: DataFlags & { url?: string }) => {
      const version =
        url === undefined ? await askOwn(configOf(environment, flags).data) : await ask(url, true);
      process.stdout.write(`well: Guildhall ${version}\n`);
    });
}

async function askOwn(data: string): Promise<string> {
  if (!existsSync(data))
    throw new DataRefused(`there is no Guildhall in ${data}; name its folder with --data`);
  const url = readAddress(data);
  if (url === undefined)
    throw new DataRefused(`no server runs on ${data}; start one with serve, or name one with --url`);
  // Its certificate is for the name by which others know it, and the address is from our own folder.
  return await ask(
    url,
    false,
    ` (${data}/guildhall.address names it: a server that was killed leaves that behind)`,
  );
}

/** The version of the Guildhall that answers there. Throws DataRefused for any other answer. */
async function ask(url: string, isVerified: boolean, nobody = ""): Promise<string> {
  const answer = await fetch(`${url}/healthz`, {
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: { connection: "close" },
    proxy: NO_PROXY,
    tls: { rejectUnauthorized: isVerified },
  }).catch((error: unknown) => {
    throw new DataRefused(reasonOf(url, error, nobody));
  });
  if (answer.status !== 200) throw new DataRefused(`${url} answers ${answer.status}`);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!isWell(body)) throw new DataRefused(`what answers at ${url} is no Guildhall`);
  return body.version;
}

function reasonOf(url: string, error: unknown, nobody: string): string {
  if (!(error instanceof Error)) return `${url} cannot be asked`;
  if (error.name === "TimeoutError") return `${url} does not answer within ${ANSWER_MS / SECOND} s`;
  if ("code" in error && error.code === "ECONNREFUSED") return `nobody answers at ${url}${nobody}`;
  return `${url} cannot be asked: ${error.message.split("\n", 1)[0]}`;
}

function isWell(body: unknown): body is { status: "ok"; version: string } {
  return (
    typeof body === "object" &&
    body !== null &&
    "status" in body &&
    body.status === "ok" &&
    "version" in body &&
    typeof body.version === "string"
  );
}
