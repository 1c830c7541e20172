import type { Command } from "commander";
import { planMigration } from "../../storage/engine/migrate.ts";
import { migrations, newestVersion } from "../../storage/engine/schema.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, readLocation, withStorage } from "../database.ts";
import { printResult } from "../output.ts";

type MigrateOptions = DatabaseOptions & { readonly dryRun?: boolean };

/** Returns the command `migrate`, what every command does first. It prints the versions. */
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
  const print = async () => {
    const to = newestVersion;
    const from = migrations.findLast(({ version }) => !ran.includes(version))?.version ?? 0;
    const isAtVersion = `The database is at version ${to}.`;
    const line = ran.length === 0 ? isAtVersion : `Migrated the database from version ${from} to version ${to}.`;
    printResult(context, options, { from, to }, [line, ...distributed]);
  };
  await withStorage(context, options, print, {
    onMigration: ({ version }) => void ran.push(version),
    onDistribution: (names) => void distributed.push(`Distributed ${names.join(", ")} over the nodes of Citus.`),
    onUndistributed: (reason) => context.note(reason),
    mustExist: false,
    // If there is nothing to migrate, nothing is written.
    mustBeWritable: false,
  });
}

/** Prints the SQL, which runs in one transaction. What is not a statement is a comment. */
async function printPlan(context: CommandContext, options: MigrateOptions): Promise<void> {
  if (options.json === true) throw new UsageError("--dry-run prints SQL. Leave out --json.");
  const location = readLocation(context, options);
  const { to, steps } = await planMigration(location, migrations);
  const lines = steps.flatMap(({ title, statements }) => [`-- ${title}`, ...statements.map((one) => `${one};`)]);
  const isEmpty = lines.length === 0;
  const sql = isEmpty ? [`-- The database is at version ${to}. Nothing would run.`] : ["begin;", ...lines, "commit;"];
  for (const line of sql) context.print(line);
}
