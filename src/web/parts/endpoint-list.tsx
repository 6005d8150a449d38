/** @jsxImportSource @kitajs/html */
import type { Endpoint } from "../../core/outbox/webhooks/endpoint.ts";
import type { PageContext } from "../request/route.ts";
import { describeEvent } from "./sentences.ts";

/** The endpoints that a decision affects. Empty if there are none. */
export function EndpointList({
  ctx,
  endpoints,
  title,
}: {
  ctx: Pick<PageContext, "messages">;
  endpoints: readonly Endpoint[];
  title: string;
}) {
  if (endpoints.length === 0) return "";
  return (
    <div class="heard">
      <p class="row-meta" safe>{`${title}:`}</p>
      <ul class="ticked small">
        {endpoints.map(({ url, events, owner }) => (
          <li>
            <code safe>{url}</code>
            <span class="row-meta" safe>
              {` ${owner.app === null ? "" : `(${owner.app.name}) `}${events.map((type) => describeEvent(ctx.messages, type)).join("; ")}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
