import { hang } from "../../tests/program/hanging.ts";
import { fromSource } from "../../tests/program/programs.ts";

const EVENTS = 40;

/** A thousand endpoints of 25 owners that hang, fifty names whose name server is silent, and ten that are well. As root, on Linux. */
export async function hanging(): Promise<boolean> {
  const told = await hang(fromSource, {
    hanging: 1000,
    owners: 25,
    silent: 50,
    healthy: 10,
    events: EVENTS,
    everyMs: 500,
    progress: (event) => void process.stderr.write(`\r  event ${event} of ${EVENTS}`),
  });
  process.stderr.write("\r\x1b[K");
  console.log(told);
  return told.arrived === told.expected && told.repeated === 0 && told.p95Ms < 1000;
}
