import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../../src/core/outbox/events/catalogue.ts";
import {
  recordPrivateEvent,
  recordPublicEvent,
  recordStaffEvent,
  recordWorkspaceEvent,
} from "../../src/core/outbox/events/events.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { sendTest } from "../../src/core/outbox/deliveries/delivery-log.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { createMemberToken, createMember, type TestServer, signedInNow, limitOf } from "../support.ts";
import { rows } from "./rows.ts";

/**
 * An event, its delivery and its attempt, with the marks: a response that contains a mark reveals one of the
 * three.
 */
export interface ReceivedEvent {
  type: AnyEventType;
  scope: Scope;
  eventId: string;
  deliveryId: string;
  attemptId: string;
  /** Texts that occur only in this event, its delivery, its attempt and the receiver's response. */
  marks: string[];
}

export interface EventFixture {
  endpointId: string;
  workspaceId: string;
  heard: ReceivedEvent[];
}

/**
 * Creates ada, whose endpoint received one event of every type. The receiver answered each event with a
 * unique text, and every attempt failed.
 */
export function createAllEvents(server: TestServer): EventFixture {
  const { core } = server;
  const { caller } = createMember(core, "ada");
  changeRole(core, OPERATOR, "ada", "moderator");
  const person = signedInNow(core, caller);
  const names = ALL_EVENT_NAMES.filter((type) => CATALOGUE[type].audience !== "endpoint");
  const endpoint = registerEndpoint(core, person, {
    url: "https://hooks.example.com/in" as CheckedUrl,
    events: names,
  });
  for (const type of ALL_EVENT_NAMES) {
    server.clock.pass(10);
    core.db.transact(() => fire(server, type, person.builderId, person.workspaceId, endpoint.id));
  }
  server.clock.pass(10);
  for (let more = true; more;) {
    const { claims } = core.db.transact(() => claimDue(core, 50, "", limitOf(50)));
    more = claims.length > 0;
    core.db.transact(() => {
      for (const claim of claims) {
        const { type } = JSON.parse(claim.body);
        settle(core, claim, failed(`the receiver's words on ${type}!`), [0]);
      }
    });
  }
  const events = rows(
    core,
    `SELECT e.type, e.id AS eventId, d.id AS deliveryId, a.id AS attemptId
     FROM events e JOIN deliveries d ON d.event_id = e.id JOIN attempts a ON a.delivery_id = d.id`,
  ).map(({ type, eventId, deliveryId, attemptId }) => ({
    type,
    scope: CATALOGUE[type as AnyEventType].scope,
    eventId,
    deliveryId,
    attemptId,
    marks: [eventId, deliveryId, attemptId, `mark of ${type}!`, `the receiver's words on ${type}!`],
  }));
  if (events.length !== ALL_EVENT_NAMES.length) throw new Error(`heard ${events.length} events`);
  return { endpointId: endpoint.id, workspaceId: person.workspaceId, heard: events };
}

function failed(answer: string) {
  return {
    status: 500,
    durationMs: 1,
    failure: { code: "status" as const, params: { status: 500 } },
    answer,
  };
}

function fire(
  { core }: TestServer,
  type: AnyEventType,
  builderId: string,
  workspaceId: string,
  endpointId: string,
): void {
  const data = marked(type);
  const { audience } = CATALOGUE[type];
  if (audience === "public") recordPublicEvent(core, type as never, data as never);
  else if (audience === "builder") recordPrivateEvent(core, builderId, type as never, data as never);
  else if (audience === "staff") recordStaffEvent(core, type as never, data as never);
  else if (audience === "workspace") recordWorkspaceEvent(core, workspaceId, type as never, data as never);
  else sendTest(core, createMemberToken(core, "ada").caller, endpointId);
}

function marked(type: AnyEventType): unknown {
  return { ...CATALOGUE[type].example, mark: `mark of ${type}!` };
}
