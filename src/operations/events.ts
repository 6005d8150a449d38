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
    route: "GET /events",
    summary: "Pull events, oldest first",
    description:
      "Returns the events that your workspace may see. Event types that your token's scopes do not allow are left out. Use this list for a receiver behind a firewall, or after an outage. Events are kept for 30 days unless the operator sets another period. To continue, set `after` to the `id` of the last event you have: no event is missed or repeated.",
    restDescription:
      "With `wait`, the server waits for the first event before it responds. With `Accept: text/event-stream`, you get a stream of server-sent events. `data` is the event. `id` is the position: send the last one as `Last-Event-ID` or `after` to resume. Without a position, the stream starts now.",
    scope: "webhooks:read",
    filter: EventFilter,
    view: EventView,
    page: "EventPage",
    responseDescription: "One page of events, in the form that webhooks receive",
    refusals: [409],
    run: ({ core, caller, filter, page }) => listEvents(core, caller, readEventFilter(filter), page),
    growing: {
      waitMax: 30,
      startFilter: ({ core, caller, filter }, lastId) => followFrom(core, caller, filter, lastId),
      filterAfter: ({ id }) => ({ after: id }),
      serialize: ({ body }) => body,
    },
  }),
});
