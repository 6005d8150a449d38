// The alert rules of deploy/, their cases and the dashboard. `bun run drill metrics` tests them with
// Prometheus.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { dashboard } from "../../../scripts/dashboard.ts";
import { METRICS } from "../../../src/http/metric-table.ts";
import { createMetrics } from "../../../src/http/metrics.ts";
import { expressionsOf, type Rules } from "../../deploy-files.ts";

const DEPLOY = join(import.meta.dir, "../../../deploy");
const read = (name: string): Promise<string> => Bun.file(join(DEPLOY, name)).text();
const rules = async (): Promise<Rules["groups"][number]["rules"]> =>
  (Bun.YAML.parse(await read("guildhall.rules.yml")) as Rules).groups.flatMap((group) => group.rules);

/** Labels of each series on /metrics. A histogram has buckets, sum and count. */
const LABELS = new Map(
  createMetrics({ ofProcess: true })
    .described()
    .flatMap(({ name, type, labels }): [string, readonly string[]][] =>
      type === "histogram"
        ? [
            [`${name}_bucket`, [...labels, "le"]],
            [`${name}_sum`, labels],
            [`${name}_count`, labels],
          ]
        : [[name, labels]],
    ),
);
/** Series and labels that Prometheus adds. */
LABELS.set("up", []);
const ADDED = ["job", "instance"];

/** Series or labels of an expression that do not exist. */
function unknownIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""');
  return [...bare.matchAll(/\b((?:guildhall|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].flatMap(
    ([, name = "", asked = ""]) => {
      const labels = LABELS.get(name);
      if (!labels) return [name];
      const wanted = [...asked.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label);
      return wanted
        .filter((label) => ![...labels, ...ADDED].includes(label))
        .map((label) => `${name}{${label}}`);
    },
  );
}

test("the program exports every metric and label that a rule or the dashboard names", async () => {
  const expressions = [...(await rules()).map(({ expr }) => expr), ...expressionsOf(dashboard())];
  expect(expressions.length).toBeGreaterThan(60);
  expect(expressions.flatMap(unknownIn)).toEqual([]);
  expect(unknownIn('rate(guildhall_http_requests_total{statuss="2xx"}[5m]) + guildhall_nothing')).toEqual([
    "guildhall_http_requests_total{statuss}",
    "guildhall_nothing",
  ]);
});

test("each alert has a severity and a link to a section of docs/operating.md that names it", async () => {
  const page = await Bun.file(join(DEPLOY, "../docs/operating.md")).text();
  for (const { alert, labels, annotations } of await rules()) {
    expect(["page", "ticket"], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toContain("{{ $labels.instance }}");
    const [file, anchor] = annotations.runbook_url.split("#");
    expect(file).toBe("docs/operating.md");
    const place = page.split("\n").find((line) => line.includes(`<a id="${anchor}"></a>`));
    // docs/operating.md marks the alerts whose severity is `page`.
    expect(place, alert).toMatch(
      labels.severity === "page" ? `**${alert}** (page)` : new RegExp(`\\*\\*${alert}\\*\\*(?! \\(page)`),
    );
  }
  const alerts = [...page.matchAll(/\*\*(Guildhall\w+)\*\*/g)].map(([, name]) => name);
  expect(alerts.toSorted()).toEqual((await rules()).map(({ alert }) => alert).toSorted());
});

test("each alert has a test case that raises it for one server and not for another", async () => {
  interface Case {
    input_series: { series: string }[];
    alert_rule_test: { alertname: string; exp_alerts: { exp_labels: { instance: string } }[] }[];
  }
  const { tests } = Bun.YAML.parse(await read("guildhall.rules.test.yml")) as { tests: Case[] };
  const tried = tests.flatMap(({ input_series, alert_rule_test }) => {
    expect(input_series.filter(({ series }) => series.includes('"good"')).length).toBeGreaterThan(0);
    return alert_rule_test.map(({ alertname, exp_alerts }) => {
      expect(exp_alerts.map(({ exp_labels }) => exp_labels.instance)).toEqual(["bad"]);
      return alertname;
    });
  });
  expect(tried.toSorted()).toEqual((await rules()).map(({ alert }) => alert).toSorted());
});

test("the dashboard shows every metric of the table", () => {
  const query = expressionsOf(dashboard()).join("\n");
  const missing = Object.keys(METRICS).filter((name) => !new RegExp(`\\b${name}(?:_bucket)?\\{`).test(query));
  expect(missing).toEqual([]);
});

test("the dashboard's panels have unique names and ids, and none overlap", () => {
  const { panels } = dashboard();
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos } of panels) {
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(taken.get(`${x} ${y}`), title).toBeUndefined();
        taken.set(`${x} ${y}`, title);
      }
    }
  }
});
