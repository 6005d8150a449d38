/** @jsxImportSource @kitajs/html */
import { CATALOGUE } from "../../core/outbox/events/catalogue.ts";
import type { Endpoint } from "../../core/outbox/webhooks/endpoint.ts";

/** What receives events, named where a person decides about what it hangs on. Nothing where there is none. */
export function EndpointList({ endpoints, title }: { endpoints: readonly Endpoint[]; title: string }) {
  if (endpoints.length === 0) return "";
  return (
    <div class="heard">
      <p class="row-meta" safe>{`${title}:`}</p>
      <ul class="ticked small">
        {endpoints.map(({ url, events, owner }) => (
          <li>
            <code safe>{url}</code>
            <span class="row-meta" safe>
              {` ${owner.app === null ? "" : `(${owner.app.name}) `}${events.map((type) => CATALOGUE[type]?.words ?? type).join("; ")}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
