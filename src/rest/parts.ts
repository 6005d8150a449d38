import { Choice } from "../core/ground/check.ts";
import { ALL_EVENT_NAMES, EVENT_NAMES } from "../core/outbox/events/catalogue.ts";

/** What answers of several operations hold, each under a name, so that a generated client has one type for it. */

export const EventType = {
  ...Choice(ALL_EVENT_NAMES, "What happened; new types may come."),
  $id: "EventType",
};
export const SubscribedType = {
  ...Choice(EVENT_NAMES, "A type that endpoints subscribe to; new ones may come."),
  $id: "SubscribedEventType",
};
