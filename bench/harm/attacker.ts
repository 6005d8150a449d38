/**
 * Sends ten of one small request at once, from a process of its own, when a line comes to its input. Reports
 * the statuses of the answers and how long all of them took.
 */
import { SMALL } from "./small-requests.ts";

const AT_ONCE = 10;
const [url = "", token = "", name = ""] = process.argv.slice(2);
const request = SMALL[name];
if (!request) throw new Error(`there is no request ${name}`);
/** Made ahead: this process must not be busy while the server is. */
let bodies: string[] = [];
let made = 0;
const makeBodies = (): void => {
  bodies = Array.from({ length: AT_ONCE }, () => request.body(made++));
};
makeBodies();
const headers: Record<string, string> = {
  "content-type": request.type ?? "application/json",
  authorization: `Bearer ${token}`,
  ...(request.type ? { origin: url, "sec-fetch-site": "same-origin" } : {}),
};
const ask = async (body: string): Promise<number> => {
  const answer = await fetch(`${url}${request.path}`, { method: "POST", headers, body, redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status;
};
console.log("ready");
for await (const _ of console) {
  const from = performance.now();
  const statuses = await Promise.all(bodies.map(ask));
  const report = { statuses: [...new Set(statuses)], ms: performance.now() - from, bytes: bodies[0]?.length };
  makeBodies();
  console.log(JSON.stringify(report));
}
