import { CATEGORIES, lighthouse } from "./lighthouse/audit.ts";
import { auditSite } from "./lighthouse/pages.ts";
import { row } from "./server.ts";

const ROUNDS = 5;
const WEAKEST = 5;

/** Prints what Lighthouse finds on the most visited pages, and how soon a like and a reply show. */
export async function lighthouseOfPages(): Promise<void> {
  const { pages, missed, interactions } = await auditSite(await lighthouse(), ROUNDS);
  const figures = ["CLS", "LCP ms", "blocked ms", "requests", "bytes", "weakest audits"];
  row("page", ...CATEGORIES, ...figures);
  row("---", ...[...CATEGORIES, ...figures].map(() => "---"));
  for (const { page, scores, shift, paintedMs, blockedMs, requests, bytes, weakest } of pages)
    row(
      page,
      ...CATEGORIES.map((name) => scores[name]),
      Number(shift.toFixed(3)),
      Math.round(paintedMs),
      Math.round(blockedMs),
      requests,
      bytes,
      weakest.slice(0, WEAKEST).join(", "),
    );
  console.log(`\n${missed.length === 0 ? "Every page reaches its aims." : `Missed: ${missed.join("; ")}`}\n`);
  row("interaction", "INP ms", "shown after ms");
  row("---", "---", "---");
  for (const [name, { inpMs, shownMs }] of Object.entries(interactions))
    row(name, Math.round(inpMs), Math.round(shownMs));
}
