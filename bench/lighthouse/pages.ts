import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DEMO_SIZE } from "../../src/demo/demo.ts";
import { idOf, sessionCookies } from "../members.ts";
import { createBenchCommunity, createBenchFolder, guildhall, median, serve } from "../server.ts";
import { audit, CATEGORIES, openChromium, type Report } from "./audit.ts";
import { type Interaction, interactions } from "./interactions.ts";

/** Scores that every page should reach. */
const AIMS: Report["scores"] = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const MOST_REQUESTS = 4;
const MOST_BYTES = 40_000;

/** The median of each figure of a page. The layout shift is that of the worst round. */
export interface AuditedPage extends Report {
  page: string;
}

export interface AuditedSite {
  pages: AuditedPage[];
  /** The aims that a page misses, as text. */
  missed: string[];
  interactions: Record<"like" | "reply", Interaction>;
}

/**
 * Audits five pages with Lighthouse (mobile preset), as a guest sees them. Then measures a member's
 * interactions. The pages alternate within one run.
 */
export async function auditSite(program: string, rounds: number): Promise<AuditedSite> {
  using demo = await createBenchCommunity(DEMO_SIZE);
  const { core } = demo;
  using empty = createBenchFolder();
  createBuilder(empty.core, OPERATOR, { username: "ada", name: "Ada", role: "owner" });
  await using full = await serve(guildhall(demo.folder));
  await using bare = await serve(guildhall(empty.folder));
  const thread = idOf(core, "SELECT id FROM posts WHERE parent_id IS NULL ORDER BY replies DESC, id LIMIT 1");
  const job = idOf(core, "SELECT id FROM jobs ORDER BY id DESC LIMIT 1");
  const author = idOf(core, "SELECT username AS id FROM builders ORDER BY xp DESC, id LIMIT 1");
  const urls = {
    feed: `${full.url}/`,
    "a post": `${full.url}/posts/${thread}`,
    "a job": `${full.url}/jobs/${job}`,
    "a profile": `${full.url}/@${author}`,
    "an empty front page": `${bare.url}/`,
  };
  const reports = new Map<string, Report[]>();
  {
    await using chromium = await openChromium();
    for (let round = 0; round < rounds; round++)
      for (const [page, url] of Object.entries(urls))
        reports.set(page, [...(reports.get(page) ?? []), await audit(program, chromium, url)]);
  }
  const pages = [...reports].map(([page, all]) => ({ page, ...middleOf(all) }));
  const [cookie] = sessionCookies(core, 1);
  if (!cookie) throw new Error("the demo has no member");
  return {
    pages,
    missed: pages.flatMap(missedBy),
    interactions: await interactions({ origin: full.url, cookie, thread }, rounds),
  };
}

function middleOf(all: readonly Report[]): Report {
  const middle = (of: (report: Report) => number) => median(all.map(of));
  const byPerformance = all.toSorted((a, b) => a.scores.performance - b.scores.performance);
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((name) => [name, middle((report) => report.scores[name])]),
    ) as Report["scores"],
    shift: Math.max(...all.map(({ shift }) => shift)),
    paintedMs: middle(({ paintedMs }) => paintedMs),
    blockedMs: middle(({ blockedMs }) => blockedMs),
    requests: middle(({ requests }) => requests),
    bytes: middle(({ bytes }) => bytes),
    weakest: byPerformance[all.length >> 1]?.weakest ?? [],
  };
}

function missedBy({ page, scores, shift, requests, bytes }: AuditedPage): string[] {
  const figures: [name: string, isReached: boolean, figure: number][] = [
    ...CATEGORIES.map(
      (name) => [name, scores[name] >= AIMS[name], scores[name]] as [string, boolean, number],
    ),
    ["layout shift", shift === 0, shift],
    ["requests", requests <= MOST_REQUESTS, requests],
    ["bytes", bytes <= MOST_BYTES, bytes],
  ];
  return figures
    .filter(([, isReached]) => !isReached)
    .map(([name, , figure]) => `${page}: ${name} ${figure}`);
}
