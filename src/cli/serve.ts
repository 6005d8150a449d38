import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { hasBuilders } from "../core/builders/builders.ts";
import { ensureDemo, demoToken } from "../demo/demo.ts";
import { createLog } from "../log.ts";
import { start } from "../main.ts";
import { dataOption } from "./options.ts";
import type { Environment } from "./program.ts";
import { progressBar } from "./progress.ts";
import { withCore } from "./with-core.ts";

interface ServeFlags {
  host?: string;
  port?: string;
  data?: string;
  demo?: boolean;
}

export function addServeCommand(program: Command, environment: Environment): void {
  dataOption(
    program
      .command("serve")
      .description("migrate, serve and go on until SIGTERM or SIGINT")
      .option("--host <host>", "the address to listen on (GUILDHALL_HOST, 127.0.0.1)")
      .option("--port <n>", "the port; 0 picks a free one (GUILDHALL_PORT, 8787)"),
  )
    .option("--demo", "fill an empty database with a made-up community, and print a token for it")
    .action((flags: ServeFlags) => serve(environment, flags));
}

async function serve(environment: Environment, flags: ServeFlags): Promise<void> {
  const config = readConfig(environment.variables, flags);
  if (flags.demo) {
    await withCore(environment, { ...flags, mayCreate: true }, async (core) => {
      const bar = progressBar();
      await ensureDemo(core, bar.show);
      bar.done();
    });
  }
  const log = createLog(config.logLevel);
  const running = start(config, log);
  log.info({ url: running.url, data: config.data }, "listening");
  if (flags.demo) greet(running.url, demoToken(running.core));
  else if (!hasBuilders(running.core)) log.info(FIRST_STEPS);

  const signal = await nextSignal();
  log.info({ signal }, "stopping");
  // The second one means now: whatever was promised is on disk already.
  void nextSignal().then(() => process.exit(1));
  await running.stop();
  log.info("stopped");
  // Nothing is left to do; a connection that a client holds open must not keep the process.
  process.exit(0);
}

const FIRST_STEPS =
  "no builder yet: make one with `guildhall builder create NAME --admin`, then `guildhall token create NAME`";

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
}

function greet(url: string, demo: { token: string; username: string } | undefined): void {
  const lines = demo
    ? [
        "",
        `  The demo community is ready. A token of @${demo.username}, good for 7 days:`,
        "",
        `    ${demo.token}`,
        "",
        "  Try it:",
        "",
        `    curl -H 'Authorization: Bearer ${demo.token}' '${url}/v1/feed?limit=3'`,
        "",
        `  The API, explained: ${url}/docs`,
        "",
      ]
    : ["", "  This database holds a community of its own, so --demo left it as it is.", ""];
  process.stdout.write(`${lines.join("\n")}\n`);
}
