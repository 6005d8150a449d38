/**
 * Opens as many subscriptions as one account may have. Prints “ready” once all are open, and reads events
 * until stdin ends. With `different`, each subscription has a different document.
 */
import { OPERATIONS_MAX } from "../../src/graphql/single-connection.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";

const [url = "", token = "", kind = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

async function open(n: number): Promise<void> {
  const stream = await (await fetch(`${url}/graphql`, { method: "PUT", headers })).text();
  const named = { ...headers, "x-graphql-event-stream-token": stream };
  const { body } = await fetch(`${url}/graphql`, { headers: named });
  void (async () => {
    for await (const _ of body ?? []);
  })();
  for (let i = 0; i < OPERATIONS_MAX; i++) {
    const name = kind === "different" ? `of${n}of${i}: postCreated` : "postCreated";
    const query = `subscription { ${name} { text textHtml author { name bio posts(first: 60) { edges { node { id text } } } } } }`;
    const begun = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: named,
      body: JSON.stringify({ query, extensions: { operationId: `o${i}` } }),
    });
    if (begun.status !== 202) throw new Error(`${begun.status} ${await begun.text()}`);
  }
}

for (let n = 0; n < LISTENERS_MAX.each; n++) await open(n);
console.log("ready");
for await (const _ of console);
process.exit(0);
