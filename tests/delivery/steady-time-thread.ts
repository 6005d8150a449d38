/** A thread that receives a clock mark and returns its steady time. */
import { machineClock } from "../../src/core/base/clock.ts";
import { baseFrom, type Mark } from "../../src/core/outbox/deliveries/monotonic-time.ts";

declare const self: Worker;

self.onmessage = ({ data }: MessageEvent<Mark>) => {
  const clock = machineClock(baseFrom(data, Date.now(), performance.now()));
  self.postMessage({ steady: clock.steady(), wall: clock.now() });
};
