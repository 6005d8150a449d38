import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import { readAddress } from "../health/address.ts";
import { VERSION } from "../../app/version.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { serverMetrics } from "./server-metrics.ts";

/** How much of the files that it may open a server may have open. */
const MANY = 0.75;
const TOO_MANY = 0.9;
/** Each connection is one. What a shell gives is less than a few streams and browsers want. */
const FILES_ENOUGH = 4096;

/** How the server that holds the folder is, as it tells itself. */
export async function checkServer(context: CheckContext): Promise<FixableFinding[]> {
  const { config, isServed } = context;
  if (!isServed)
    return [
      {
        check: "server",
        severity: "note",
        says: `no server runs on ${config.data}`,
        mend: "guildhall serve, or systemctl start guildhall",
      },
    ];
  const url = readAddress(config.data);
  // What lacks of it is told where the folder is looked at.
  if (url === undefined) return [];
  return [...(await readinessOf(context, url)), ...(await filesOf(context))];
}

async function readinessOf({ network }: CheckContext, url: string): Promise<FixableFinding[]> {
  // The certificate is for the name by which others know it, and the address is from our own folder.
  const asked = { isVerified: false };
  const ready = await network.get(`${url}/readyz`, asked);
  const got = isAnswer(ready) && ready.status === 404 ? await network.get(`${url}/healthz`, asked) : ready;
  if (!isAnswer(got))
    return [
      {
        check: "server",
        severity: "severe",
        says: `the server that holds the folder does not answer at ${url}: ${got.says}`,
        mend: "guildhall health; then look into its log and start it anew (systemctl restart guildhall)",
      },
    ];
  const told = parseStatus(got.text);
  if (!told)
    return [
      {
        check: "server",
        severity: "severe",
        says: `what answers at ${url} (${got.status}) is no Guildhall`,
        mend: "stop what listens there, and start the server anew",
      },
    ];
  const { version, failing } = told;
  const found: FixableFinding[] = [];
  if (failing.length > 0)
    found.push({
      check: "server",
      severity: "severe",
      says: `the server is not ready: ${failing.join(", ")}`,
      mend: "guildhall health says what fails; the findings here, and its log, say why",
    });
  else found.push({ check: "server", severity: "ok", says: `the server answers at ${url} that it is well` });
  if (version !== VERSION)
    found.push({
      check: "version",
      severity: "warning",
      says: `the server that runs is Guildhall ${version}, and this program is ${VERSION}`,
      mend: "start the server anew (systemctl restart guildhall)",
    });
  return found;
}

interface Told {
  version: string;
  failing: readonly string[];
}

/** Undefined where it is none of a Guildhall. What is told goes on a line of a terminal. */
export function parseStatus(text: string): Told | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== "object" || body === null) return undefined;
  const { status, version, failing } = body as Readonly<Record<string, unknown>>;
  if (typeof status !== "string" || typeof version !== "string" || !/^[\w.+-]{1,40}$/.test(version))
    return undefined;
  const words = Array.isArray(failing) ? failing : [];
  return {
    version,
    failing: words.filter((word): word is string => typeof word === "string" && /^[a-z_]{1,40}$/.test(word)),
  };
}

async function filesOf(context: CheckContext): Promise<FixableFinding[]> {
  const metrics = await serverMetrics(context);
  const [open, max] = [metrics?.get("process_open_fds"), metrics?.get("process_max_fds")];
  if (open === undefined || max === undefined) return [];
  const mend = "LimitNOFILE=65536 in the unit, or ulimit -n 65536 before serve; then start the server anew";
  const says = `the server has ${open} of the ${max} files open that it may have`;
  const part = open / max;
  if (part > MANY)
    return [{ check: "open_files", severity: part > TOO_MANY ? "severe" : "warning", says, mend }];
  if (max < FILES_ENOUGH) return [{ check: "open_files", severity: "note", says, mend }];
  return [{ check: "open_files", severity: "ok", says }];
}
