import { followUpdates, type LiveUpdate } from "../core/services/live/updates.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { unauthorized } from "../core/base/errors.ts";
import { streamed } from "../http/answer.ts";
import { streamBody } from "../http/event-stream.ts";
import type { Listeners } from "../http/listeners.ts";
import { currentPerson } from "./request/current-person.ts";
import { publicPage, type PageRoute } from "./request/route.ts";

/**
 * The event stream for the page script (docs/contract.md#9.14). An event only says that something happened
 * and how much is unread. The script then fetches the page, so rendering and permission checks exist only
 * once.
 */
export function livePages(listeners: Listeners): readonly PageRoute[] {
  return [
    publicPage("GET", "/live", ({ core, context, person, query }) => {
      if (!person) throw unauthorized();
      let caller: Caller = person.caller;
      // After a lost connection, a browser requests the same URL again. The browser sends its last event id
      // in a header.
      const after = context.request.headers.get("last-event-id") ?? query.get("after");
      const updates = followUpdates(core, caller, after ?? undefined);
      const listener = listeners.open(
        context,
        (now) => (caller = now),
        () => currentPerson(core, context)?.caller,
      );
      return streamed(context, streamBody(events(), listener.close));

      async function* events(): AsyncGenerator<string> {
        let lastSent = "";
        do {
          const { id, ...happened } = updates.read(core, caller);
          const unread = JSON.stringify(happened.unread);
          if (unread !== lastSent || hasChanges(happened))
            yield `id: ${id}\ndata: ${JSON.stringify(happened)}\n\n`;
          lastSent = unread;
        } while (await listener.changed());
      }
    }),
  ];
}

function hasChanges({ posts, talks, isCut }: Omit<LiveUpdate, "id">): boolean {
  return posts > 0 || talks.length > 0 || isCut;
}
