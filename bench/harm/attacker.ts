/**
 * Sends ten copies of one small request at once for each line on stdin. Reports the statuses of the responses
 * and the time until the last response.
 */
import { SMALL } from "./small-requests.ts";

const AT_ONCE = 10;
const [url = "", token = "", name = ""] = process.argv.slice(2);
const request = SMALL[name];
if (!request) throw new Error(`there is no request ${name}`);
/** Request bodies, built ahead because this process must not be busy while the server is. */
let bodies: string[] = [];
let created = 0;
const makeBodies = (): void => {
  bodies = Array.from({ length: AT_ONCE }, () => request.body(created++));
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
