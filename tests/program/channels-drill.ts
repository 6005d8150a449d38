import { chownSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { changeNotificationSettings } from "../../src/core/services/notifications/settings.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { chooseMails } from "../../src/core/identity/mail/mail.ts";
import { pushKey, subscribeToPush, SUBSCRIPTIONS_MAX } from "../../src/core/outbox/push/push.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { mailServer, type MailServer } from "../delivery/mail-server.ts";
import { bodyOf, type Browser, makeBrowser } from "../delivery/push-service.ts";
import { authority, openReceiver, type Receiver } from "../delivery/receiver.ts";
import { createMemberToken, signedInNow } from "../support.ts";
import { emptyFolder, type Program, serve } from "./programs.ts";

export interface ReachOptions {
  healthy: number;
  /** Members with ten browsers each, whose push service responds 503 or never. */
  failing: number;
  /**
   * Rounds per phase. In each round every healthy member gets a reply, and one in `rounds` has a post hidden.
   */
  rounds: number;
  everyMs: number;
  progress?: (label: string) => void;
}

/** Time from the triggering response to the arrival, in ms. NaN if nothing was measured. */
export interface Waits {
  push: number;
  mail: number;
  urgentMail: number;
}

export interface ReachReport {
  /** p95 of healthy members. Mail is only measured while the mail server works. */
  phases: Record<"undisturbed" | "push fails" | "mail is dead" | "mail is back", Waits>;
  /**
   * Time until the first email after the outage, and the share of the backlog that arrived before the last
   * urgent email.
   */
  back: { firstMs: number; ordinaryBefore: number };
  expected: number;
  lost: number;
  repeated: number;
  attemptsAtFailing: number;
}

/** Unmeasured phase, because the first connections after a start are slow. */
const WARM_UP = "warm-up";
type PhaseName = keyof ReachReport["phases"] | typeof WARM_UP;

/** An event that must reach one member by push and by email. */
interface Cause {
  phase: PhaseName;
  /** The reply, or the decision that hid a post. */
  subjectId: string;
  member: string;
  isUrgent: boolean;
  at: number;
}

/** Hidden posts per member: one in each phase, including the warm-up. */
const HIDDEN_OF_EACH = 5;
const ADDRESS = (member: string): string => `${member}@home.example`;

/**
 * Runs members with working browsers and mailboxes beside many whose push service fails. The four phases are:
 * undisturbed, push services failing, mail server down, mail server back.
 */
export async function channelsDrill(program: Program, options: ReachOptions): Promise<ReachReport> {
  const { healthy, failing, rounds, everyMs, progress = () => {} } = options;
  using folder = emptyFolder();
  await using service = await openReceiver([201]);
  // On separate addresses, because one host may get only half of all requests.
  const certificate = await (await authority()).issue(["127.0.0.2", "127.0.0.3"]);
  await using refusing = await openReceiver([503], certificate, "127.0.0.2");
  await using silent = await openReceiver([() => {}], certificate, "127.0.0.3");
  writeFileSync(join(folder.path, "ca.pem"), (await authority()).pem);
  let mails = await mailServer();
  const { port } = mails;
  const members = Array.from({ length: healthy }, (_, n) => `healthy${n}`);
  const env = {
    GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
    GUILDHALL_WEBHOOK_CA: "ca.pem",
    GUILDHALL_SMTP_URL: `smtp://127.0.0.1:${port}`,
    GUILDHALL_SMTP_CA: "ca.pem",
    GUILDHALL_MAIL_FROM: "guild@guild.test",
  };
  const settled = await settle(join(folder.path, "d"), env, { members, failing }, [
    `https://127.0.0.1:${service.port}`,
    `https://127.0.0.2:${refusing.port}`,
    `https://127.0.0.3:${silent.port}`,
  ]);
  await using server = await serve(program, { cwd: folder.path, args: ["--data", "d"], env });
  const ask = async (method: string, path: string, body?: unknown): Promise<{ id: string }> => {
    const answer = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${settled.token}`, "content-type": "application/json" },
      body: JSON.stringify(body ?? {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };

  const causes: Cause[] = [];
  const takenMails: MailServer["taken"] = [];
  const arrivedAll = (isWanted: (cause: Cause) => boolean, by: "push" | "mail"): boolean => {
    const arrived =
      by === "push" ? pushesOf(service, settled.browsers) : mailsOf([...takenMails, ...mails.taken]);
    return causes.filter(isWanted).every((cause) => arrived.has(keyOf(cause)));
  };
  async function run(phase: PhaseName, isFailing: boolean): Promise<void> {
    progress(phase);
    for (let round = 0; round < rounds; round++) {
      for (const [n, member] of members.entries()) {
        const postId = settled.posts.get(member)?.at(-1) ?? "";
        const { id } = await ask("POST", `/feed/${postId}/replies`, { text: `${phase} ${round}` });
        causes.push({ phase, subjectId: id, member, isUrgent: false, at: Date.now() });
        if (n % rounds !== round) continue;
        const hidden = settled.posts.get(member)?.shift() ?? "";
        const decision = await ask("POST", `/moderation/${hidden}/decisions`, {
          act: "hide",
          reason: "Off topic",
        });
        causes.push({ phase, subjectId: decision.id, member, isUrgent: true, at: Date.now() });
      }
      if (isFailing)
        for (const postId of settled.failingPosts)
          await ask("POST", `/feed/${postId}/replies`, { text: "more" });
      await Bun.sleep(everyMs);
    }
  }

  await run(WARM_UP, false);
  await run("undisturbed", false);
  await waitFor(() => arrivedAll(() => true, "push") && arrivedAll(() => true, "mail"));
  await run("push fails", true);
  await waitFor(() => arrivedAll(() => true, "push") && arrivedAll(() => true, "mail"));
  takenMails.push(...mails.taken);
  await mails[Symbol.asyncDispose]();
  await run("mail is dead", true);
  await waitFor(() => arrivedAll(() => true, "push"));
  mails = await mailServer({}, port);
  const backAt = Date.now();
  await using _mails = mails;
  await waitFor(() => mails.taken.length > 0);
  const firstMs = Date.now() - backAt;
  await run("mail is back", true);
  await waitFor(() => arrivedAll(() => true, "push") && arrivedAll(() => true, "mail"));

  const pushes = pushesOf(service, settled.browsers);
  const backlog = mails.taken.filter(({ to, text }) =>
    causes.some(
      ({ phase, member, subjectId }) =>
        phase === "mail is dead" && to[0] === ADDRESS(member) && text.includes(subjectId),
    ),
  );
  takenMails.push(...mails.taken);
  const arrivedMails = mailsOf(takenMails);
  const waits = (
    phase: PhaseName,
    arrived: ReadonlyMap<string, number[]>,
    isWanted: (cause: Cause) => boolean,
  ) =>
    p95(
      causes
        .filter((cause) => cause.phase === phase && isWanted(cause))
        .map((cause) => Math.max(0, (arrived.get(keyOf(cause))?.[0] ?? Infinity) - cause.at)),
    );
  const figures = (phase: PhaseName): Waits => ({
    push: waits(phase, pushes, () => true),
    mail: waits(phase, arrivedMails, ({ isUrgent }) => !isUrgent),
    urgentMail: waits(phase, arrivedMails, ({ isUrgent }) => isUrgent),
  });
  const isUrgentMail = ({ to, text }: MailServer["taken"][number]): boolean =>
    causes.some(
      (cause) => cause.isUrgent && to[0] === ADDRESS(cause.member) && text.includes(cause.subjectId),
    );
  const lastUrgent = backlog.findLastIndex(isUrgentMail);
  const ordinary = backlog.filter((mail) => !isUrgentMail(mail));
  const all = [...pushes.values(), ...arrivedMails.values()];
  return {
    phases: {
      undisturbed: figures("undisturbed"),
      "push fails": figures("push fails"),
      "mail is dead": figures("mail is dead"),
      "mail is back": figures("mail is back"),
    },
    back: {
      firstMs,
      ordinaryBefore:
        backlog.slice(0, lastUrgent).filter((mail) => !isUrgentMail(mail)).length / ordinary.length,
    },
    expected: 2 * causes.length,
    lost: causes.reduce(
      (lost, cause) => lost + (pushes.has(keyOf(cause)) ? 0 : 1) + (arrivedMails.has(keyOf(cause)) ? 0 : 1),
      0,
    ),
    repeated: all.reduce((sum, times) => sum + times.length - 1, 0),
    attemptsAtFailing: refusing.received.length + silent.received.length,
  };
}

interface Settled {
  token: string;
  browsers: Map<string, Browser>;
  /** Posts of each healthy member. The last post gets the replies, and the others are hidden one by one. */
  posts: Map<string, string[]>;
  failingPosts: string[];
}

/** Makes a data folder with all members, browsers and addresses, and a token that may reply and hide. */
async function settle(
  data: string,
  env: Record<string, string>,
  { members, failing }: { members: string[]; failing: number },
  [working, refusing, silent]: [string, string, string],
): Promise<Settled> {
  const config = readConfig({ ...env, GUILDHALL_WEBHOOK_CA: "", GUILDHALL_SMTP_CA: "" }, { data });
  const installation = openDataFolder(config, { busyMs: 1000, mayCreate: true });
  const core = createFolderCore(installation, config, "https://guild.test");
  await pushKey(core);
  const settled: Settled = { token: "", browsers: new Map(), posts: new Map(), failingPosts: [] };
  for (const member of members) {
    createBuilder(core, OPERATOR, { username: member, name: member, role: "member" });
    const { caller } = createMemberToken(core, member);
    const person = signedInNow(core, caller);
    const browser = makeBrowser();
    await subscribeToPush(core, person, {
      endpoint: `${working}/${member}`,
      ...browser.keys,
    });
    settled.browsers.set(member, browser);
    core.db
      .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, ?)")
      .run(person.builderId, ADDRESS(member));
    chooseMails(core, person, { mails: "at_once" });
    settled.posts.set(
      member,
      Array.from(
        { length: HIDDEN_OF_EACH + 1 },
        (_, n) => createPost(core, caller, { text: `post ${n}` }).id,
      ),
    );
  }
  for (let n = 0; n < failing; n++) {
    const member = `failing${n}`;
    createBuilder(core, OPERATOR, { username: member, name: member, role: "member" });
    const { caller } = createMemberToken(core, member);
    for (let each = 0; each < SUBSCRIPTIONS_MAX; each++)
      await subscribeToPush(core, signedInNow(core, caller), {
        endpoint: `${each % 2 === 0 ? refusing : silent}/${member}/${each}`,
        ...makeBrowser().keys,
      });
    changeNotificationSettings(core, caller, { reply: "push" });
    settled.failingPosts.push(createPost(core, caller, { text: "post" }).id);
  }
  // Discards greetings of browsers and notices about them.
  core.db.prepare("DELETE FROM pushes").run();
  core.db.prepare("DELETE FROM notifications").run();
  createBuilder(core, OPERATOR, { username: "root", name: "root", role: "admin" });
  settled.token = createMemberToken(core, "root", SCOPE_NAMES).token;
  installation.close();
  if (process.getuid?.() === 0) {
    // The binary runs as user nobody.
    chownSync(data, 65534, 65534);
    for (const file of readdirSync(data)) chownSync(join(data, file), 65534, 65534);
  }
  return settled;
}

function keyOf({ member, subjectId }: Pick<Cause, "member" | "subjectId">): string {
  return `${member} ${subjectId}`;
}

/** Returns the id at the end of the page in a push or an email. */
function subjectIn(text: string): string {
  return /\/(?:posts\/|decisions#)(\w+)/.exec(text)?.[1] ?? "";
}

function pushesOf({ received }: Receiver, browsers: ReadonlyMap<string, Browser>): Map<string, number[]> {
  const arrived = new Map<string, number[]>();
  for (const request of received) {
    const member = /^POST \/(\S+)/.exec(request.head)?.[1] ?? "";
    const { path } = readOnce(request, () => browsers.get(member)?.read(bodyOf(request))) as { path: string };
    add(arrived, keyOf({ member, subjectId: subjectIn(path) }), request.at);
  }
  return arrived;
}

const readBefore = new WeakMap<object, unknown>();

function readOnce(request: object, read: () => unknown): unknown {
  const found = readBefore.get(request) ?? read();
  readBefore.set(request, found);
  return found;
}

function mailsOf(taken: MailServer["taken"]): Map<string, number[]> {
  const arrived = new Map<string, number[]>();
  for (const { to, text, at } of taken) {
    const member = to[0]?.split("@")[0] ?? "";
    add(arrived, keyOf({ member, subjectId: subjectIn(text) }), at);
  }
  return arrived;
}

function add(arrived: Map<string, number[]>, key: string, at: number): void {
  const times = arrived.get(key);
  if (times) times.push(at);
  else arrived.set(key, [at]);
}

const GIVE_UP_MS = 120_000;

/** Returns after a time even if `holds` stays false. The report then shows the losses. */
async function waitFor(holds: () => boolean): Promise<void> {
  const end = performance.now() + GIVE_UP_MS;
  while (!holds() && performance.now() < end) await Bun.sleep(50);
}

function p95(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? NaN;
}
