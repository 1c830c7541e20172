import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { safeText } from "../io/safe-text.ts";
import type { Diagnosis } from "./examine.ts";

/** Prints one line for each finding. What another finding explains, or does not apply, is only in the JSON. */
export function printDiagnoses(
  context: CommandContext,
  options: { readonly json?: boolean },
  diagnoses: readonly Diagnosis[],
): void {
  const shown = diagnoses.filter(({ status }) => status !== "skipped");
  const widths = [
    Math.max(...shown.map(({ status }) => status.length)),
    Math.max(...shown.map(({ code }) => code.length)),
  ];
  const lines = shown.map(({ status, code, what, fix }) =>
    safeText(
      [status.padEnd(widths[0] ?? 0), code.padEnd(widths[1] ?? 0), what, ...(fix === null ? [] : [fix])].join("  "),
    ),
  );
  const data = diagnoses.map(({ code, status, what, fix, dependsOn }) => ({
    code,
    status,
    what,
    fix,
    depends_on: dependsOn,
  }));
  printResult(context, options, { data }, lines);
}

/** Says in one line why the command fails. Undefined if it succeeds. */
export function summarize(
  diagnoses: readonly Diagnosis[],
  { strict = false }: { readonly strict?: boolean },
): string | undefined {
  const count = (status: Diagnosis["status"]) => diagnoses.filter((diagnosis) => diagnosis.status === status).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  if (failures === 0 && !(strict && warnings > 0)) return undefined;
  const unchecked = diagnoses.filter(({ dependsOn }) => dependsOn !== null).map(({ code }) => code);
  const found = `Doctor found ${amount(failures, "failure")} and ${amount(warnings, "warning")}.`;
  return unchecked.length === 0 ? found : `${found} Not checked because of a failure: ${unchecked.join(", ")}.`;
}

function amount(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
