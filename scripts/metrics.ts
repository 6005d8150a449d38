import { createMetrics } from "../src/http/metrics.ts";

const MARKED = /(<!-- metrics: made by `bun run generate` -->\n)[\s\S]*?(<!-- end of metrics -->)/;

/** Returns docs/operating.md with the table of all metrics between its markers. */
export function withMetrics(page: string): string {
  if (!MARKED.test(page)) throw new Error("docs/operating.md has no place for the metrics");
  return page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${table()}\n\n${end}`);
}

function table(): string {
  const all = createMetrics({ ofProcess: true }).described();
  const ours = all.filter(({ name }) => name.startsWith("guildhall_"));
  const rows = [...ours, ...all.filter((each) => !ours.includes(each))].map(
    ({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ],
  );
  const lines = [["Metric", "Type", "Labels", "Meaning"], Array<string>(4).fill("---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
