import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { HOUR, SECOND } from "../../../src/core/base/clock.ts";
import { createAuthority } from "../../delivery/authority.ts";
import { writeDataFolder, RELEASES } from "../releases.ts";
import { guildhall } from "../programs.ts";
import { damage, freezeDelivery, noMounts, openSecondConnection, smallDisk } from "./causes.ts";
import type { Fault } from "./fault.ts";
import type { Installation } from "./installation.ts";

/** All faults that the program reports to operators, each with its cause and its reports. */
export const FAULTS: readonly Fault[] = [
  {
    name: "The disk is full",
    threat: "K03",
    doctor: { check: "disk", severity: "severe" },
    ready: ["disk"],
    metric: { name: "guildhall_disk_free_bytes", is: { below: 16_777_216 } },
    log: "not ready",
    page: "the disk is full",
    lacks: noMounts,
    options: () => smallDisk(64),
    async cause(installation) {
      await installation.start();
      await installation.run(["sh", "-c", "dd if=/dev/zero of=d/rest bs=64k 2>/dev/null || true"]);
    },
  },
  {
    name: "The disk is read-only",
    threat: "K04",
    doctor: { check: "folder", severity: "severe" },
    ready: "no server",
    log: "cannot be read and written by this user (EROFS)",
    lacks: noMounts,
    options: () => smallDisk(64),
    async cause(installation) {
      await installation.run(["mount", "-o", "remount,ro", "/mnt"]);
      await installation.refuse();
    },
  },
  {
    name: "Another program holds the database locked",
    threat: "K05",
    doctor: { check: "server", severity: "severe" },
    ready: ["write"],
    metric: { name: "guildhall_ready", is: { exactly: 0 } },
    log: "not ready",
    page: "writes fail",
    async cause(installation) {
      await installation.start();
      const otherConnection = openSecondConnection(installation);
      otherConnection.exec("BEGIN IMMEDIATE");
      return () => void otherConnection.close();
    },
  },
  {
    name: "Another program keeps reading, and the write-ahead log grows",
    threat: "K06",
    doctor: { check: "write_ahead_size", severity: "warning" },
    ready: [],
    metric: { name: "guildhall_write_ahead_log_bytes", is: { above: 268_435_456 } },
    log: "write-ahead log keeps growing",
    page: "The write-ahead log takes",
    isLong: true,
    async cause(installation) {
      await installation.start();
      const reader = openSecondConnection(installation);
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM builders").get();
      const writer = openSecondConnection(installation);
      writer.exec("CREATE TABLE growth (bytes BLOB)");
      const grow = writer.prepare("INSERT INTO growth VALUES (zeroblob(4000000))");
      for (let i = 0; i < 80; i++) grow.run();
      return () => {
        reader.close();
        writer.close();
      };
    },
  },
  {
    name: "Pages of the database are damaged",
    threat: "K15",
    doctor: { check: "quick_check", severity: "severe" },
    ready: ["database"],
    metric: { name: "guildhall_ready", is: { exactly: 0 } },
    log: "not ready",
    page: "A request found damage in the database",
    options: () => ({ posts: 2000 }),
    async cause(installation) {
      damage(installation, "posts");
      await installation.start();
      await installation.get("/v1/feed?limit=100", { authorization: `Bearer ${await installation.token()}` });
    },
  },
  {
    name: "The file is not a database",
    threat: "K07",
    doctor: { check: "database", severity: "severe" },
    ready: "no server",
    log: "guildhall.db is not a database, or is damaged",
    async cause(installation) {
      writeFileSync(join(installation.data, "guildhall.db"), "x".repeat(100_000));
      await installation.refuse();
    },
  },
  {
    name: "Another release changed the database",
    threat: "M22",
    doctor: { check: "schema", severity: "severe" },
    ready: ["schema"],
    metric: { name: "guildhall_ready", is: { exactly: 0 } },
    log: "not ready",
    page: "the database has another schema version",
    async cause(installation) {
      await installation.start();
      const otherConnection = openSecondConnection(installation);
      const version = Number(otherConnection.pragma("user_version", { simple: true }));
      otherConnection.pragma(`user_version = ${version + 1}`);
      otherConnection.close();
    },
  },
  {
    name: "The write-ahead log belongs to another database",
    threat: "K13",
    doctor: { check: "write_ahead_log", severity: "severe" },
    ready: "no server",
    log: "is not the database that its log",
    async cause(installation) {
      await leaveForeignLog(installation);
      await installation.refuse();
    },
  },
  {
    name: "The write-ahead log is damaged, and commits are lost",
    threat: "K14",
    ready: [],
    log: "of the last acknowledged commits are lost",
    async cause(installation) {
      await installation.start();
      const token = await installation.token();
      for (let i = 0; i < 20; i++) await installation.post("/v1/feed", token, { text: `post ${i}` });
      await installation.kill();
      const log = join(installation.data, "guildhall.db-wal");
      const bytes = readFileSync(log);
      const middle = Math.floor(bytes.findLastIndex((byte) => byte !== 0) / 2);
      bytes.fill(0xa5, middle, middle + 512);
      writeFileSync(log, bytes);
      await installation.start();
    },
  },
  {
    name: "The database is from an older release",
    threat: "K08",
    doctor: { check: "schema", severity: "severe" },
    ready: "no server",
    log: "of an older Guildhall",
    async cause(installation) {
      const [release] = RELEASES;
      rmSync(installation.data, { recursive: true });
      if (release) writeDataFolder(release, installation.data);
      await installation.refuse(["token", "list", "ada"]);
    },
  },
  {
    name: "An import was interrupted",
    threat: "M10",
    doctor: { check: "unfinished_import", severity: "warning" },
    ready: "no server",
    log: "An import",
    async cause(installation) {
      rmSync(installation.data, { recursive: true });
      mkdirSync(join(installation.data, "importing"), { recursive: true });
      await installation.refuse();
    },
  },
  {
    name: "Too many files are open",
    threat: "K11",
    log: "file descriptors are running out",
    options: () => ({ before: ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"] }),
    async cause(installation) {
      await installation.start();
      const { hostname, port } = new URL(installation.url());
      const held: Socket[] = [];
      while (!installation.see.log().includes("file descriptors are running out") && held.length < 200) {
        const socket = connect(Number(port), hostname);
        held.push(socket.on("error", () => {}));
        await new Promise((done) => socket.once("connect", done).once("close", done));
        socket.write("GET /healthz HTTP/1.1\r\n");
      }
      return () => held.forEach((socket) => socket.destroy());
    },
  },
  {
    name: "The server was killed",
    threat: "K01",
    doctor: { check: "address", severity: "note" },
    ready: "no server",
    async cause(installation) {
      await installation.start();
      await installation.kill();
    },
  },
  {
    name: "The delivery loop is stuck",
    threat: "L12",
    doctor: { check: "server", severity: "severe" },
    ready: ["delivery"],
    metric: { name: "guildhall_delivery_last_turn_seconds", is: { above: 10 } },
    log: "not ready",
    page: "deliveries are not being sent",
    lacks: noMounts,
    async cause(installation) {
      await installation.start();
      return freezeDelivery(installation.pid());
    },
  },
  {
    name: "The clock was an hour ahead and was corrected",
    threat: "K12",
    doctor: { check: "clock", severity: "severe" },
    ready: [],
    page: "This machine's clock is",
    isLong: true,
    lacks: () => (Bun.which("faketime") === null ? "there is no faketime here" : undefined),
    async cause(installation) {
      const early = [...guildhall.command, "builder", "create", "early", "--data", "d"];
      await installation.run(["faketime", "-f", "+1h", ...early]);
      await installation.start();
    },
  },
  {
    name: "Every user of the machine can read the key",
    threat: "L11",
    doctor: { check: "key_rights", severity: "severe" },
    ready: [],
    log: "every user of this machine can read the key file",
    page: "Every user of this machine can read",
    isLong: true,
    async cause(installation) {
      chmodSync(installation.data, 0o755);
      chmodSync(join(installation.data, "guildhall.key"), 0o644);
      await installation.start();
    },
  },
  {
    name: "The key is lost",
    threat: "M09",
    doctor: { check: "key", severity: "severe" },
    ready: "no server",
    log: "guildhall.key",
    async cause(installation) {
      rmSync(join(installation.data, "guildhall.key"));
      await installation.refuse();
    },
  },
  {
    name: "The certificate has expired",
    threat: "M15",
    doctor: { check: "certificate_files", severity: "severe" },
    ready: [],
    metric: { name: "guildhall_certificate_ends_in_seconds", is: { below: 0 } },
    page: "the certificate expired",
    isLong: true,
    options: () => ({
      env: {
        GUILDHALL_ORIGIN: "https://guild.example",
        GUILDHALL_TLS_CERT: "cert.pem",
        GUILDHALL_TLS_KEY: "key.pem",
      },
    }),
    async cause(installation) {
      const authority = await createAuthority();
      const { cert, key } = await authority.issue(["guild.example"], { until: Date.now() + 6 * SECOND });
      writeFileSync(join(installation.folder, "cert.pem"), cert);
      writeFileSync(join(installation.folder, "key.pem"), key);
      await installation.start();
    },
  },
  {
    name: "Backups fail, and the last one is too old",
    threat: "M21",
    doctor: { check: "backup", severity: "severe" },
    ready: [],
    metric: { name: "guildhall_backup_late", is: { exactly: 1 } },
    log: "newest backup is too old",
    page: ". The attempt at ",
    isLong: true,
    options: () => ({ env: { GUILDHALL_BACKUP: "/nowhere/at-all" } }),
    async cause(installation) {
      mkdirSync(join(installation.data, "backups"), { recursive: true });
      const at = Date.now() - 72 * HOUR;
      const last = { at, name: "guildhall-00000000-20261101T000000Z.tar.zst", bytes: 1, ms: 1 };
      writeFileSync(join(installation.data, "backups/.state.json"), JSON.stringify({ last }));
      await installation.start();
    },
  },
  {
    name: "No backups are scheduled",
    threat: "M21",
    doctor: { check: "backup", severity: "warning" },
    ready: [],
    page: "The server makes no backups",
    async cause(installation) {
      await installation.start();
    },
  },
  {
    name: "A webhook receiver is down",
    threat: "M03",
    ready: [],
    metric: { name: 'guildhall_endpoints{state="failing",code=""}', is: { exactly: 1 } },
    page: "No acknowledgement",
    options: () => ({ env: { GUILDHALL_WEBHOOK_ALLOW: "127.0.0.1", GUILDHALL_RETRY_DELAYS: "0s,1h" } }),
    async cause(installation) {
      await installation.start();
      const token = await installation.token();
      await installation.post("/v1/webhooks", token, {
        url: "https://127.0.0.1:9/",
        events: ["post.created"],
      });
      await installation.post("/v1/feed", token, { text: "heard by nobody" });
    },
  },
];

/** Copies an older state over the database but leaves the log, a common mistake. */
async function leaveForeignLog(installation: Installation): Promise<void> {
  const file = join(installation.data, "guildhall.db");
  const older = openSecondConnection(installation);
  older.prepare("VACUUM INTO ?").run(`${file}.older`);
  older.close();
  await installation.start();
  const token = await installation.token();
  await installation.post("/v1/feed", token, { text: "written after that" });
  await installation.kill();
  renameSync(`${file}.older`, file);
}
