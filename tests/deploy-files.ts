/** The alerts in deploy/, as far as they are looked at. */
export interface Rules {
  groups: {
    rules: {
      alert: string;
      expr: string;
      labels: { severity: string };
      annotations: { summary: string; runbook_url: string };
    }[];
  }[];
}

/** The dashboard in deploy/, as Grafana imports it. */
export interface Dashboard {
  panels: {
    id: number;
    title: string;
    gridPos: Record<"x" | "y" | "w" | "h", number>;
    targets?: { expr: string }[];
  }[];
  templating: { list: { query: string | { query: string } }[] };
}

/** What the dashboard asks, panel by panel, as Prometheus is asked it. */
export function expressionsOf({ panels }: Dashboard): string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr)));
}

function filledIn(expression: string): string {
  return expression
    .replaceAll("$__rate_interval", "15s")
    .replaceAll("$job", "guildhall")
    .replaceAll("$instance", ".*");
}
