import { expect, test } from "bun:test";
import { ftruncateSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { parseMetrics } from "../../../src/operate/doctor/server-metrics.ts";
import type { Answer } from "../../../src/operate/doctor/network.ts";
import { VERSION } from "../../../src/app/version.ts";
import { finding, openFixture, servedFixture } from "./support.ts";

/** docs/contract.md#12.11 */

const ready = (version = VERSION): Partial<Answer> => ({
  text: JSON.stringify({ status: "ready", version }),
});

test("distinguishes no server, and a healthy, unready, silent, foreign or other-version server", async () => {
  using alone = openFixture();
  expect(await alone.look("server")).toEqual([
    finding("server", "note", /No server runs on/, /guildhall serve/),
  ]);
  using fixture = servedFixture();
  expect(await fixture.look("server", { "/readyz": ready() })).toEqual([
    finding("server", "ok", /is ready at http:\/\/127\.0\.0\.1:8787\./),
  ]);
  const unhealthy = {
    status: 503,
    text: JSON.stringify({ status: "failing", version: VERSION, failing: ["write", "disk"] }),
  };
  expect(await fixture.look("server", { "/readyz": unhealthy })).toEqual([
    finding("server", "severe", /is not ready: write, disk\.$/, /guildhall health/),
  ]);
  expect(await fixture.look("server", {})).toEqual([
    finding("server", "severe", /does not answer at http.*: nobody is there/, /systemctl restart guildhall/),
  ]);
  expect(await fixture.look("server", { "/readyz": { text: "<html>" } })).toEqual([
    finding("server", "severe", /\(status 200\) is not a Guildhall/, /Stop the program that listens there/),
  ]);
  // Older versions have no /readyz.
  const older = { "/readyz": { status: 404 }, "/healthz": { text: '{"status":"ok","version":"0.1.9"}' } };
  expect(await fixture.look("server", older)).toEqual([finding("server", "ok", /is ready/)]);
  expect(await fixture.look("version", older)).toEqual([
    finding(
      "version",
      "warning",
      /running server is Guildhall 0\.1\.9, and this program is /,
      /Restart the server/,
    ),
  ]);
});

test("asks the server for its open files, if /metrics is readable", async () => {
  using fixture = servedFixture({ GUILDHALL_METRICS_TOKEN: "secret" });
  const files = (open: number, max: number) =>
    fixture.look("open_files", {
      "/metrics": { text: `# HELP x y\nprocess_open_fds ${open}\nprocess_max_fds ${max}\n` },
    });
  expect(await files(40, 65_536)).toEqual([
    finding("open_files", "ok", /40 files open, and its limit is 65536/),
  ]);
  expect(await files(40, 1024)).toEqual([
    finding("open_files", "note", /40 files open, and its limit is 1024/, /LimitNOFILE/),
  ]);
  expect(await files(55_000, 65_536)).toEqual([finding("open_files", "warning", /55000/, /LimitNOFILE/)]);
  expect(await files(60_000, 65_536)).toEqual([finding("open_files", "severe", /60000/, /LimitNOFILE/)]);
  expect(await fixture.look("open_files", { "/metrics": { status: 404 } })).toEqual([]);
});

test("reads metrics like Prometheus: skips comments and adds up labels", () => {
  const text = '# TYPE a counter\na{x="1",y="}"} 2\na{x="2"} 3.5\nguildhall_b 1e3\nc NaN\n';
  expect([...parseMetrics(text)]).toEqual([
    ["a", 5.5],
    ["b", 1000],
    ["c", Number.NaN],
  ]);
});

test("warns about a write-ahead log without checkpoints, and names what holds it", async () => {
  using fixture = openFixture();
  expect(await fixture.look("write_ahead_size")).toEqual([
    finding("write_ahead_size", "ok", /takes 0 bytes/),
  ]);
  const file = openSync(join(fixture.data, "guildhall.db-wal"), "w");
  // The log is a sparse file without commits. Such a log belongs to any database.
  ftruncateSync(file, 300 * 1024 * 1024);
  closeSync(file);
  expect(await fixture.look("write_ahead_size")).toEqual([
    finding("write_ahead_size", "warning", /takes 300 MB\. The last server was killed/, /Start the server/),
  ]);
});

test("shows which internal addresses webhooks may reach, and warns about risky ones", async () => {
  using closed = openFixture();
  expect(await closed.look("webhook_allow")).toEqual([
    finding("webhook_allow", "ok", /only public addresses/),
  ]);
  using some = openFixture({ GUILDHALL_WEBHOOK_ALLOW: "10.1.0.0/16,hooks.internal" });
  expect(await some.look("webhook_allow")).toEqual([
    finding("webhook_allow", "note", /may also reach 10\.1\.0\.0\/16, hooks\.internal\.$/),
  ]);
  using all = openFixture({ GUILDHALL_WEBHOOK_ALLOW: "hooks.internal,0.0.0.0/0" });
  expect(await all.look("webhook_allow")).toEqual([
    finding(
      "webhook_allow",
      "warning",
      /includes 169\.254\.169\.254 \(in 0\.0\.0\.0\/0\)/,
      /GUILDHALL_WEBHOOK_ALLOW/,
    ),
  ]);
});
