import {
  EventFilter,
  EventView,
  followFrom,
  listEvents,
  readEventFilter,
} from "../core/outbox/events/events.ts";
import { area, list } from "./operation.ts";

export const eventOperations = area("Deliveries", {
  listEvents: list({
    at: "GET /events",
    summary: "Pull events instead of receiving them, oldest first",
    description:
      "All that your workspace may see, and your token has the scope of, of the days that the operator keeps events for, 30 by default: for a receiver behind a firewall, or after an outage. Go on with `after` set to the `id` of the last event you have: none is missed, and none comes twice.",
    restDescription:
      "With `wait` the answer comes with the first event. With `Accept: text/event-stream` the same log comes as server-sent events: each `id` is a place to go on from (`Last-Event-ID`, or `after`), `data` the event; without a place it begins now.",
    scope: "webhooks:read",
    filter: EventFilter,
    view: EventView,
    page: "EventPage",
    gives: "One page of events, each as it is delivered",
    refusals: [409],
    run: ({ core, caller, filter, page }) => listEvents(core, caller, readEventFilter(filter), page),
    growing: {
      waitMax: 30,
      begin: ({ core, caller, filter }, lastId) => followFrom(core, caller, filter, lastId),
      behind: ({ id }) => ({ after: id }),
      serialize: ({ body }) => body,
    },
  }),
});
