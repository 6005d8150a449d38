import type { Command } from "commander";
import { OPERATOR } from "../core/identity/access/caller.ts";
import { findInMemberList } from "../core/identity/builders/member-list.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import { lastAttempts } from "../core/outbox/deliveries/delivery-stats.ts";
import { getAnyEndpoint, listAllEndpoints, switchAnyEndpoint } from "../core/outbox/webhooks/admin.ts";
import type { Endpoint } from "../core/outbox/webhooks/endpoint.ts";
import { endpointsOfBuilder } from "../core/outbox/webhooks/webhooks.ts";
import { type DataFlags, dataOption, type Environment } from "./options.ts";
import {
  readAllPages,
  type JsonFlag,
  jsonOption,
  type Row,
  printJson,
  printParts,
  printRows,
} from "./output.ts";
import { withCore } from "./with-core.ts";

/** Number of attempts to show, so that all of them fit on a screen. */
const ATTEMPTS = 10;

interface ListFlags extends DataFlags, JsonFlag {
  failing?: boolean;
}

export function addEndpointCommands(program: Command, environment: Environment): void {
  const endpoint = program.command("endpoint").description("Manage the webhook endpoints of all workspaces");
  jsonOption(dataOption(endpoint.command("list [username]")))
    .description(
      "List all endpoints, or those of one member, newest first: id, state, since, code, owner, URL, events",
    )
    .option("--failing", "Only endpoints that fail or are disabled")
    .action(async (username: string | undefined, flags: ListFlags) => {
      const all = await withCore(environment, flags, (core) =>
        username === undefined
          ? readAllPages((request) => listAllEndpoints(core, OPERATOR, request))
          : endpointsOfBuilder(core, findInMemberList(core, OPERATOR, foldUsername(username)).id),
      );
      const rows = all.filter(({ health }) => !flags.failing || health.state !== "ok").map(rowOf);
      if (flags.json) printJson(rows);
      else printRows(rows);
    });
  jsonOption(dataOption(endpoint.command("show <id>")))
    .description("Show one endpoint and the results of its last ten attempts")
    .action(async (id: string, flags: DataFlags & JsonFlag) => {
      const row = await withCore(environment, flags, (core) => ({
        ...detailsOf(getAnyEndpoint(core, OPERATOR, id)),
        attempts: lastAttempts(core, OPERATOR, id, ATTEMPTS),
      }));
      if (flags.json) printJson(row);
      else printParts(row);
    });
  dataOption(endpoint.command("disable <id>"))
    .description("Disable an endpoint; its owner is notified and can resume it")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void switchAnyEndpoint(core, OPERATOR, id, false)),
    );
  dataOption(endpoint.command("resume <id>"))
    .description("Resume an endpoint and send its pending deliveries")
    .action((id: string, flags: DataFlags) =>
      withCore(environment, flags, (core) => void switchAnyEndpoint(core, OPERATOR, id, true)),
    );
}

function rowOf({ id, health, owner, url, events }: Endpoint): Row {
  const { state, code, disabledAt, failingSince } = health;
  const troubledSince = disabledAt ?? failingSince;
  return { id, state, troubledSince, code, owner: owner.username, url, events };
}

function detailsOf(endpoint: Endpoint): Row {
  const { health, owner, createdAt } = endpoint;
  const { disabledAt, failingSince, reason } = health;
  return { ...rowOf(endpoint), createdAt, app: owner.app?.name ?? null, failingSince, disabledAt, reason };
}
