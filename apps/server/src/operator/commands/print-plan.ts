import type { PlanReader } from "../../storage/migrations/plan-migration.ts";
import type { CommandContext } from "../io/command-context.ts";

/** Prints each statement of a plan as soon as it is known: those of 450,000 domains are longer than the longest string. */
interface PlanPrinter extends PlanReader {
  /** Call this once, after the plan. */
  end(): void;
}

/** Prints a plan as SQL. What is not a statement is a comment. It runs in one transaction. */
export function planAsSql({ print, untilPrinted }: CommandContext): PlanPrinter {
  let isEmpty = true;
  return {
    async onStart({ from, to }) {
      isEmpty = from === to;
      print(isEmpty ? `-- The database is at version ${to}. Nothing would run.` : "begin;");
    },
    async onStep(title) {
      print(`-- ${title}`);
    },
    onStatement(statement) {
      print(`${statement};`);
      return untilPrinted();
    },
    end() {
      if (!isEmpty) print("commit;");
    },
  };
}

/** Prints a plan as one object, with a line for each statement. */
export function planAsJson({ print, untilPrinted }: CommandContext): PlanPrinter {
  let isEmpty = true;
  return {
    async onStart({ from, to }) {
      isEmpty = from === to;
      print(`{"from":${from},"to":${to},"statements":[${isEmpty ? "]}" : '"begin"'}`);
    },
    async onStep() {},
    onStatement(statement) {
      print(`,${JSON.stringify(statement)}`);
      return untilPrinted();
    },
    end() {
      if (!isEmpty) print(',"commit"]}');
    },
  };
}
