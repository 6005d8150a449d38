import type { Command } from "commander";
import { existsSync } from "node:fs";
import { readOrigin } from "../config/config.ts";
import { READINESS_FAILURES } from "../core/services/checkup/readiness.ts";
import { SECOND } from "../core/base/clock.ts";
import { DataRefused } from "../app/data-folder.ts";
import { readAddress } from "../operate/health/address.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import { configOf } from "./with-core.ts";

/** A server that takes longer to respond is unhealthy. */
const ANSWER_MS = 5 * SECOND;
/** Disables the proxies of the environment. Only `false` does this, and Bun's types do not allow it. */
const NO_PROXY = false as unknown as string;

/** Readable texts for the words of /readyz. Unknown words, from a newer server, are printed unchanged. */
const CHECK_LABELS: Readonly<Record<string, string>> = {
  ...READINESS_FAILURES,
  maintenance: "maintenance mode is on",
  backup_late: "the backup is late",
  backup_failing: "the last backup failed",
  rehearsal_failing: "the last test restore failed",
};

const HELP = `
Asks /readyz and prints one line. Exit code 0: the server is ready. Exit code 1: it is not, and the line says why.
A late or failed backup is mentioned, but does not fail the check. Without --url, asks the server that uses the data
folder, at the address in DATA/guildhall.address. Suits a container's HEALTHCHECK and monitoring.`;

export function addHealthCommand(program: Command, environment: Environment): void {
  dataOption(program.command("health").description("Check whether the server is ready"))
    .option("--url <origin>", "Origin of the server to ask", (text) => readOrigin("--url", text))
    .addHelpText("after", HELP)
    .action(async ({ url, ...flags }: DataFlags & { url?: string }) => {
      const { version, notes } =
        url === undefined ? await askOwnServer(configOf(environment, flags).data) : await ask(url, true);
      process.stdout.write(`ready: ${[`Guildhall ${version}`, ...labelsOf(notes)].join("; ")}\n`);
    });
}

async function askOwnServer(data: string): Promise<ReadyStatus> {
  if (!existsSync(data))
    throw new DataRefused(`There is no Guildhall in ${data}. Name its folder with --data.`);
  const url = readAddress(data);
  if (url === undefined)
    throw new DataRefused(
      `No server runs on ${data}. Start one with \`guildhall serve\`, or name one with --url.`,
    );
  // The certificate is for the public host name, but this URL comes from the data folder. So the certificate
  // is not verified.
  return await ask(
    url,
    false,
    ` (The URL is from ${data}/guildhall.address, which a killed server leaves behind.)`,
  );
}

/** Returns the status of a healthy server. Throws DataRefused for any other response. */
async function ask(url: string, isVerified: boolean, offline = ""): Promise<ReadyStatus> {
  const get = (path: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { connection: "close" },
      proxy: NO_PROXY,
      tls: { rejectUnauthorized: isVerified },
    }).catch((error: unknown) => {
      throw new DataRefused(reasonOf(url, error, offline));
    });
  const ready = await get("/readyz");
  // An older release has only /healthz.
  const answer = ready.status === 404 ? await get("/healthz") : ready;
  const status = parseStatus(await answer.json().catch(() => undefined));
  if (status && status.failing.length > 0)
    throw new DataRefused(`${url} is not ready: ${labelsOf(status.failing).join(", ")}.`);
  if (answer.status !== 200) throw new DataRefused(`${url} answers with status ${answer.status}.`);
  if (!status) throw new DataRefused(`The server at ${url} is not a Guildhall server.`);
  return status;
}

function reasonOf(url: string, error: unknown, offline: string): string {
  if (!(error instanceof Error)) return `${url} cannot be reached.`;
  if (error.name === "TimeoutError") return `${url} did not answer within ${ANSWER_MS / SECOND} s.`;
  if ("code" in error && error.code === "ECONNREFUSED") return `No server answers at ${url}.${offline}`;
  return `${url} cannot be reached: ${error.message.split("\n", 1)[0]}`;
}

interface ReadyStatus {
  version: string;
  failing: readonly string[];
  notes: readonly string[];
}

/** Returns undefined if the response is not from a Guildhall server. */
function parseStatus(body: unknown): ReadyStatus | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { status, version, failing, notes } = body as Readonly<Record<string, unknown>>;
  if (typeof status !== "string" || typeof version !== "string" || !/^[\w.+-]{1,40}$/.test(version))
    return undefined;
  return { version, failing: checkNamesIn(failing), notes: checkNamesIn(notes) };
}

/** Keeps only plain words, because the response can come from any server and is printed on a terminal. */
function checkNamesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.filter((word): word is string => typeof word === "string" && /^[a-z_]{1,40}$/.test(word));
}

function labelsOf(words: readonly string[]): string[] {
  return words.map((word) => CHECK_LABELS[word] ?? word);
}
