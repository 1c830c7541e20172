import type { RunResult } from "./run-row.ts";

const maxViolations = 20;

/** The one line of a row on an engine, with the violations below it. */
export function formatResult(title: string, { figures, violations, durationMs }: RunResult, isGreen: boolean): string {
  const line = `${isGreen ? "✓" : "✗"} ${title}: ${formatFigures(figures)} [${(durationMs / 1000).toFixed(1)} s]`;
  const shown = violations.slice(0, maxViolations).map((violation) => `    ${violation.replaceAll("\n", "\n    ")}`);
  const rest = violations.length > maxViolations ? [`    and ${violations.length - maxViolations} more`] : [];
  return [line, ...shown, ...rest].join("\n");
}

/** Figures as a list: `40 kills, restart p99 310 ms`. */
export function formatFigures(figures: RunResult["figures"]): string {
  const parts = Object.entries(figures).map(([name, value]) =>
    typeof value === "number" ? `${value.toLocaleString("en")} ${name}` : `${name} ${value}`,
  );
  return parts.length === 0 ? "no figures" : parts.join(", ");
}
