import type { MigrationPlan } from "../../storage/migrations/plan-migration.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";

/** Prints a plan as SQL that runs in one transaction. What is not a statement is a comment. */
export function printMigrationPlan(
  context: CommandContext,
  options: { readonly json?: boolean },
  { from, to, steps }: MigrationPlan,
): void {
  const statements = steps.flatMap((step) => step.statements);
  const inTransaction = statements.length === 0 ? [] : ["begin", ...statements, "commit"];
  const lines = steps.flatMap((step) => [`-- ${step.title}`, ...step.statements.map((statement) => `${statement};`)]);
  const sql =
    lines.length === 0 ? [`-- The database is at version ${to}. Nothing would run.`] : ["begin;", ...lines, "commit;"];
  printResult(context, options, { from, to, statements: inTransaction }, sql);
}
