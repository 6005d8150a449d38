import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { isId } from "../core/base/ids.ts";
import { ALL_EVENT_NAMES, isAnyEventType } from "../core/outbox/events/catalogue.ts";
import { type Forwarder, forwarder } from "../delivery/listen/forward.ts";
import { listen } from "../delivery/listen/listen.ts";
import { openPosition } from "../delivery/listen/position.ts";
import { VERSION } from "../app/version.ts";
import { type Environment, UsageError } from "./options.ts";

interface ListenFlags {
  forward: string;
  url?: string;
  tokenStdin?: boolean;
  state?: string;
  after?: string;
  type?: string[];
  secret?: string;
}

const HELP = `
Pulls events with a token and forwards each as a signed webhook, in both signature formats. For machines without
a public address. The token needs the scope webhooks:read, and the scope of each event type.

  export GUILDHALL_TOKEN=guild_pat_…
  guildhall listen --url https://guild.example --forward http://127.0.0.1:3000/hooks

With --state FILE, position and secret are kept between runs. Without it, listening starts with the next event. If your
program answers with anything but 2xx, the event is sent again, up to five times. If your program is not running,
the event waits. Ctrl-C stops listening.`;

export function addListenCommand(program: Command, environment: Environment): void {
  program
    .command("listen")
    .description("Forward events to a local program, signed like webhooks")
    .requiredOption("--forward <url>", "URL to forward to, such as http://127.0.0.1:3000/hooks")
    .option("--url <url>", "URL of the community (default: GUILDHALL_ORIGIN or http://127.0.0.1:8787)")
    .option("--token-stdin", "Read the token from standard input instead of GUILDHALL_TOKEN")
    .option("--state <file>", "File to keep the position and the secret in")
    .option("--after <id>", "Id of the event after which forwarding starts", eventId)
    .option(
      "--type <type>",
      "Event type to forward; repeatable (default: all that the token may read)",
      typesOf,
    )
    .option("--secret <secret>", "Signing secret (default: a new one, which is printed)")
    .addHelpText("after", HELP)
    .action((flags: ListenFlags) => run(environment, flags));
}

async function run({ variables }: Environment, flags: ListenFlags): Promise<void> {
  const server = address("--url", flags.url ?? variables["GUILDHALL_ORIGIN"] ?? "http://127.0.0.1:8787");
  const token = tokenOf(variables, flags);
  const position = openPosition(flags.state, { after: flags.after, secret: secretOf(flags.secret) });
  const target: Forwarder = forwarder(
    address("--forward", flags.forward).href,
    position.secret,
    `Guildhall-Webhooks/${VERSION}`,
  );
  print(`signing secret: ${position.secret}`);
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
  await listen({
    server: server.origin,
    token,
    position,
    types: flags.type && new Set(flags.type),
    forward: target,
    print: print,
    signal: ending.signal,
  });
}

function typesOf(type: string, before: string[] = []): string[] {
  if (isAnyEventType(type)) return [...before, type];
  throw new UsageError(
    `--type ${JSON.stringify(type)} is not an event type. Use one of ${ALL_EVENT_NAMES.join(", ")}.`,
  );
}

function eventId(text: string): string {
  if (isId("evt", text)) return text;
  throw new UsageError("--after must be the id of an event, such as evt_01kafzq8e5f2r8v0j3n6s1t4wx.");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function address(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${flag} must be a URL that begins with http:// or https://.`);
}

/**
 * Reads the token from stdin or the environment. A command-line argument would be visible to all users of the
 * machine.
 */
function tokenOf(variables: Environment["variables"], { tokenStdin }: ListenFlags): string {
  const token = tokenStdin ? readFileSync(0, "utf8").trim() : variables["GUILDHALL_TOKEN"]?.trim();
  if (token) return token;
  throw new UsageError(
    "The access token is missing. Set GUILDHALL_TOKEN, or pipe the token in with --token-stdin.",
  );
}

function secretOf(text: string | undefined): string | undefined {
  if (text === undefined || /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) return text;
  throw new UsageError("--secret must be `whsec_` followed by base64, like an endpoint's secret.");
}
