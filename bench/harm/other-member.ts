/**
 * Sends small reads of another member, one after another, until a line arrives on stdin. Then reports the
 * longest wait, and the longest CPU time of the server's thread during one wait. Other work on the machine
 * affects only the first figure.
 */
import { readFileSync } from "node:fs";
import { residentMiB } from "../server.ts";

const [url = "", token = "", pid = ""] = process.argv.slice(2);
let isOver = false;
let longest = 0;
let longestCpu = 0;
let memory = 0;
/** CPU time of the server's main thread so far, in ms. */
const cpu = (): number => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
const ask = async (): Promise<void> => {
  await (await fetch(`${url}/v1/feed?limit=1`, { headers: { authorization: `Bearer ${token}` } })).text();
};
for (let i = 0; i < 300; i++) await ask();
console.log("ready");
void (async () => {
  for await (const _ of console) isOver = true;
})();
while (!isOver) {
  const [from, ran] = [performance.now(), cpu()];
  await ask();
  longestCpu = Math.max(longestCpu, cpu() - ran);
  longest = Math.max(longest, performance.now() - from);
  memory = Math.max(memory, residentMiB(Number(pid)));
  await Bun.sleep(1);
}
console.log(JSON.stringify({ longest, longestCpu, memory }));
process.exit(0);
