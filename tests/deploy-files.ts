import type { Dashboard } from "../scripts/dashboard.ts";

/** The parts of the alert rules in deploy/ that tests read. */
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

/** The expressions of the dashboard's panels, as Grafana sends them to Prometheus. */
export function expressionsOf({ panels }: Dashboard): string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => filledIn(expr)));
}

function filledIn(expression: string): string {
  return expression
    .replaceAll("$__rate_interval", "15s")
    .replaceAll("$job", "guildhall")
    .replaceAll("$instance", ".*");
}
