import { Command } from "commander";
import { copyDatabase } from "../../storage/moving/copy-database.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { printResult, renderTable } from "../output.ts";

type CopyOptions = Readonly<{ from: string; to: string; json?: boolean }>;

/** Returns the command `copy`, which copies an entire installation to another database, also of another engine. */
export function copyCommand(context: CommandContext): Command {
  return new Command("copy")
    .description("copy all data into an empty database of the same or another engine; stop the server first")
    .requiredOption("--from <url>", "URL of the database to copy, which nobody else may use meanwhile")
    .requiredOption("--to <url>", "URL of an empty database, or of a file that does not exist")
    .action((options: CopyOptions) => copy(context, options));
}

async function copy(context: CommandContext, { from, to, json = false }: CopyOptions): Promise<void> {
  if (from === to) throw new UsageError("--from and --to are the same database. Use an empty database for --to.");
  const ends = { from: { databaseUrl: from, setting: "--from" }, to: { databaseUrl: to, setting: "--to" } };
  const result = await copyDatabase(ends);
  // Both databases were read completely, and these are the same in both.
  const rows = Object.entries(result).map(([table, { count, sha256 }]) => [table, String(count), sha256]);
  printResult(context, { json }, result, renderTable(["TABLE", "ROWS", "SHA-256"], rows));
}
