/** @jsxImportSource @kitajs/html */
import type { listAudit } from "../../core/identity/audit/audit.ts";
import type { PageAsk } from "../request/route.ts";
import { Ago } from "./parts.tsx";
import { sentenceOfAct } from "./sentences.ts";

type Entries = ReturnType<typeof listAudit>["nodes"];

export function AuditRows({
  entries,
  ask,
  isForAdmins = false,
}: {
  entries: Entries;
  ask: PageAsk;
  isForAdmins?: boolean;
}) {
  const words = ask.words.account.activity;
  return (
    <ul class="rows">
      {entries.map((entry) => (
        <li>
          <div class="row-main">
            <p class="row-title plainly" dir="auto" safe>
              {sentenceOfAct(ask.words, entry)}
            </p>
            <p class="row-meta">
              <Ago ask={ask} at={entry.createdAt} />
              <span safe>
                {[
                  entry.actor === null ? [] : words.by({ username: entry.actor }),
                  isForAdmins && entry.subject !== null && entry.subject !== entry.actor
                    ? words.about({ username: entry.subject })
                    : [],
                  entry.address === null ? [] : words.from({ address: entry.address }),
                ]
                  .flat()
                  .map((fact) => ` · ${fact}`)
                  .join("")}
              </span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
