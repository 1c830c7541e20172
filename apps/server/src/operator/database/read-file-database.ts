import { readConfig } from "../../config.ts";
import { describeBackupTools } from "../../storage/moving/files.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError, withCommandErrors } from "../io/command-error.ts";
import { readDatabaseFlag } from "./database-command.ts";
import { databaseSetting } from "./open-operator-storage.ts";

/** What to run instead. */
interface Instead {
  readonly what: string;
  readonly lines: readonly string[];
  readonly after?: string;
}

/**
 * Returns the database that the settings name, if it is a file.
 *
 * @throws UsageError with the lines to run instead, if the database is on a server
 */
export async function readFileDatabase(
  context: CommandContext,
  options: { databaseUrl?: string },
  choose: (tools: NonNullable<Awaited<ReturnType<typeof describeBackupTools>>>) => Instead,
): Promise<{ readonly databaseUrl: string; readonly setting: string }> {
  const { databaseUrl } = readConfig(context.environment, readDatabaseFlag(options));
  const location = { databaseUrl, setting: databaseSetting };
  const tools = await withCommandErrors(() => describeBackupTools(location));
  if (tools === undefined) return location;
  const { what, lines, after } = choose(tools);
  const shown = [
    `${what} a PostgreSQL database with its own tools, of its major version or a later one:`,
    "",
    ...lines.map((line) => `  ${line}`),
  ];
  throw new UsageError([...shown, ...(after === undefined ? [] : ["", after])].join("\n"));
}
