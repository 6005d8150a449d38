import { Type } from "@sinclair/typebox";
import type { Caller } from "../core/identity/access/caller.ts";
import { ruled, Whole } from "../core/ground/check.ts";
import { SECOND } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import { type EventFilter, listEvents, logEndFor, type StoredEvent } from "../core/outbox/events/events.ts";
import { Moment, parseMoment } from "../core/ground/moment.ts";
import type { Page, PageRequest } from "../core/ground/page.ts";
import { eventStream } from "./event-stream.ts";
import { type Live, operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { EventType } from "./parts.ts";

const EventEnvelope = Type.Object(
  {
    id: Type.String(),
    type: EventType,
    created_at: Type.String({ format: "date-time" }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "The payload of its type." }),
  },
  { $id: "Event" },
);

const exampleId = "evt_01kafzq8e5f2r8v0j3n6s1t4wx";

/** So long a request may wait for the first event. */
const WAIT_MAX_SECONDS = 30;

export const eventOperations = [
  operation({
    id: "listEvents",
    method: "GET",
    path: "/events",
    group: "Deliveries",
    summary: "Pull events instead of receiving them, oldest first",
    description:
      "All that your workspace may see, and your token has the scope of, of the days that the operator keeps events for, 30 by default: for a receiver behind a firewall, or after an outage. Go on with `after` set to the `id` of the last event you have: none is missed, and none comes twice. With `wait` the answer comes with the first event. With `Accept: text/event-stream` the same log comes as server-sent events: each `id` is a place to go on from (`Last-Event-ID`, or `after`), `data` the event; without a place it begins now.",
    scope: "webhooks:read",
    query: Type.Object({
      ...pageParameters,
      since: Type.Optional(
        Moment({ description: "Only events fired after this moment.", examples: ["2026-11-20T09:30:00Z"] }),
      ),
      after: Type.Optional(
        Type.String({
          description:
            "The id of an event: only those behind it in the log, which is in the order of the commits. One older than what is kept is refused.",
          examples: [exampleId],
          minLength: 1,
          ...ruled("not_event_id"),
        }),
      ),
      wait: Whole(0, WAIT_MAX_SECONDS, {
        default: 0,
        description: "Where there is nothing to tell yet, wait so many seconds for the first event.",
      }),
    }),
    answer: {
      status: 200,
      description: "One page of events, each as it is delivered",
      schema: PageOf("EventPage", EventEnvelope),
      example: {
        data: [
          {
            id: exampleId,
            type: "post.created",
            created_at: "2026-11-20T09:30:00.000Z",
            data: {
              post: {
                id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
                author_id: "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
                title: "Shipped",
                url: "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
              },
            },
          },
        ],
        next: null,
      },
    },
    refusals: [400, 409],
    handle: async ({ core, caller, query, live }) => {
      const since = query.since === undefined ? undefined : parseMoment(query.since);
      const filter = { since, after: query.after };
      if (live.isStream) return { status: 200, stream: follow(core, caller, filter, live) };
      const request = pageRequest(query);
      const page = listEvents(core, caller, filter, request);
      const isAwaited = page.nodes.length === 0 && query.wait > 0 && live.mayWait;
      const told = isAwaited ? await waitFor(core, filter, request, query.wait, live) : page;
      return presentPage(told, (event) => JSON.parse(event.body));
    },
  }),
];

/** The first page that is not empty, or the empty one when the time is up, the client gone or the server about to stop. */
async function waitFor(
  core: Core,
  filter: EventFilter,
  request: PageRequest,
  seconds: number,
  live: Live,
): Promise<Page<StoredEvent>> {
  const ear = live.listen();
  live.keepOpen(seconds + 5);
  const timeUp = setTimeout(ear.close, seconds * SECOND);
  try {
    for (;;) {
      // Who waits may lose their right meanwhile, or some of it: then this throws.
      const page = listEvents(core, await live.callerNow(), filter, request);
      if (page.nodes.length > 0) return page;
      if (!(await ear.changed()) && !ear.isOver()) return page;
    }
  } finally {
    clearTimeout(timeUp);
    ear.close();
  }
}

/** The log from a place on, and on. The place is taken at once, and refused at once where one cannot go on from it. */
function follow(core: Core, caller: Caller, filter: EventFilter, live: Live): ReadableStream<string> {
  const after = live.lastEventId ?? filter.after;
  const begin: EventFilter =
    after === undefined && filter.since === undefined
      ? { after: logEndFor(core, caller) }
      : { ...filter, after };
  listEvents(core, caller, begin, { limit: 1 });
  const ear = live.listen();
  return eventStream(tell(), ear.close);

  async function* tell(): AsyncGenerator<StoredEvent> {
    for (let place = begin; ;) {
      const page = listEvents(core, await live.callerNow(), place, { limit: 100 });
      yield* page.nodes;
      const last = page.nodes.at(-1);
      if (last) place = { after: last.id };
      if (!page.hasNextPage && !(await ear.changed())) return;
    }
  }
}
