import type { Command } from "commander";
import { migrations } from "../storage/migrations/migrations.ts";
import { operatorCommand } from "./operator-command.ts";
import { printResult, type Terminal } from "./terminal.ts";
import { withStorage } from "./with-storage.ts";

/** `migrate`: every command brings the database to the program's version; this one does nothing else and tells of it. */
export function migrateCommand(terminal: Terminal): Command {
  return operatorCommand("migrate", "bring the database to this program's version").action(
    (options: { databaseUrl?: string; json?: boolean }) => {
      let steps = 0;
      const onMigration = () => {
        steps += 1;
      };
      const print = async () => {
        const to = migrations.at(-1)?.version ?? 0;
        const from = to - steps;
        const line =
          steps === 0 ? `The database is at version ${to}.` : `The database went from version ${from} to ${to}.`;
        printResult(terminal, options, { from, to }, [line]);
      };
      return withStorage(terminal, options, print, { onMigration });
    },
  );
}
