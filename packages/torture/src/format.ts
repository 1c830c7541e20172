import type { RunResult } from "./run-row.ts";

/** A sabotaged run is green if it has violations. One of them shows what it noticed. */
const maxViolations = { green: 1, red: 20 } as const;

/** Formats the line of a row on an engine, with its violations below it. */
export function formatResult(title: string, { figures, violations, durationMs }: RunResult, isGreen: boolean): string {
  const line = `${isGreen ? "✓" : "✗"} ${title}: ${formatFigures(figures)} [${(durationMs / 1000).toFixed(1)} s]`;
  const max = maxViolations[isGreen ? "green" : "red"];
  const shown = violations.slice(0, max).map((violation) => `    ${violation.replaceAll("\n", "\n    ")}`);
  const rest = violations.length > max ? [`    and ${violations.length - max} more`] : [];
  return [line, ...shown, ...rest].join("\n");
}

/** Formats figures as a list: `40 kills, restart p99 310 ms`. */
export function formatFigures(figures: RunResult["figures"]): string {
  const parts = Object.entries(figures).map(([name, value]) =>
    typeof value === "number" ? `${value.toLocaleString("en")} ${name}` : `${name} ${value}`,
  );
  return parts.length === 0 ? "no figures" : parts.join(", ");
}
