import type { Command } from "commander";
import { readConfig } from "../../config.ts";
import { migrations, newestVersion } from "../../storage/migrations/migrations.ts";
import { planMigration } from "../../storage/migrations/plan-migration.ts";
import { databaseCommand, readDatabaseFlag, withStorage } from "../database/database-command.ts";
import { databaseSetting } from "../database/open-operator-storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { withCommandErrors } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { printMigrationPlan } from "./print-plan.ts";

interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/**
 * Returns the command `migrate`. Every command migrates the database; this one does nothing else, and prints the
 * versions.
 */
export function migrateCommand(context: CommandContext): Command {
  return databaseCommand(
    "migrate",
    "migrate the database to the version of this program, and create it if it does not exist",
  )
    .option("--dry-run", "print the SQL that would run, and change nothing")
    .action((options: MigrateOptions) =>
      options.dryRun === true ? printPlan(context, options) : migrate(context, options),
    );
}

async function migrate(context: CommandContext, options: MigrateOptions): Promise<void> {
  const ran: number[] = [];
  const distributed: string[] = [];
  const onMigration = ({ version }: { readonly version: number }) => {
    ran.push(version);
  };
  const print = async () => {
    const to = newestVersion;
    const from = migrations.findLast(({ version }) => version <= to && !ran.includes(version))?.version ?? 0;
    const line =
      ran.length === 0
        ? `The database is at version ${to}.`
        : `Migrated the database from version ${from} to version ${to}.`;
    printResult(context, options, { from, to }, [line, ...distributed]);
  };
  const onDistribution = (names: readonly string[]) => {
    distributed.push(`Distributed ${names.join(", ")} over the nodes of Citus.`);
  };
  // If there is nothing to migrate, nothing is written.
  const onUndistributed = (reason: string) => context.note(reason);
  const opening = { onMigration, onDistribution, onUndistributed, mustExist: false, mustBeWritable: false };
  await withStorage(context, options, print, opening);
}

async function printPlan(context: CommandContext, options: MigrateOptions): Promise<void> {
  const { databaseUrl } = readConfig(context.environment, readDatabaseFlag(options));
  const plan = () => planMigration({ databaseUrl, setting: databaseSetting }, migrations);
  printMigrationPlan(context, options, await withCommandErrors(plan));
}
