import type { Command } from "commander";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import { type RevokedKeys, readKeyLines, revokeKeys } from "../database/revoke-keys.ts";
import type { CommandContext } from "../io/command-context.ts";
import { CommandError, UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { readBoundedInput } from "../io/read-bounded-input.ts";
import { readKeyPrefix } from "../options/option-values.ts";
import { unknownKey } from "./api-key-errors.ts";
import { toApiKeyView } from "./api-key-view.ts";

/** More than 20,000 whole keys. */
const maxInputBytes = 1_048_576;

interface RevokeOptions {
  readonly stdin?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `keys revoke`. */
export function keysRevokeCommand(context: CommandContext): Command {
  return databaseCommand("revoke", "revoke API keys permanently; they stop working within 5 seconds")
    .argument("[prefix]", "prefix of the key, as shown by `keys list`")
    .option("--stdin", "read whole keys or prefixes from standard input, one per line; exits with 1 if any is unknown")
    .action((prefix: string | undefined, options: RevokeOptions) => {
      if (options.stdin !== true) return revokeOne(context, prefix, options);
      if (prefix !== undefined) throw new UsageError("Use either a prefix or --stdin.");
      return revokeInput(context, options);
    });
}

async function revokeOne(context: CommandContext, text: string | undefined, options: RevokeOptions): Promise<void> {
  if (text === undefined) throw new UsageError("Name the prefix of the key, or use --stdin.");
  const prefix = readKeyPrefix(text);
  await withStorage(context, options, async ({ apiKeys }) => {
    const revoked = await apiKeys.revoke(prefix, operatorAuthor(context));
    if (revoked === undefined) throw unknownKey(prefix);
    printResult(context, options, toApiKeyView(revoked, Date.now()), [`Revoked the API key ${prefix}.`]);
  });
}

async function revokeInput(context: CommandContext, options: RevokeOptions): Promise<void> {
  if (context.ask !== undefined) context.note("Paste the keys, one per line, and then press Ctrl-D.");
  const lines = readKeyLines(await readBoundedInput(context.readInput(), maxInputBytes));
  if (lines.length === 0) throw new UsageError("Standard input has no API key. Send one per line.");
  await withStorage(context, options, async ({ apiKeys }) => {
    print(context, options, await revokeKeys(apiKeys, lines, operatorAuthor(context)));
  });
}

/** Prints what was revoked, and fails if a line was not a key. A line is never printed: it may be a key of another server. */
function print(context: CommandContext, options: RevokeOptions, { revoked, unknown }: RevokedKeys): void {
  const views = revoked.map((key) => toApiKeyView(key, Date.now()));
  const lines = views.map(
    ({ prefix, account_id, name }) => `Revoked the API key ${prefix} (${name}) of account ${account_id}.`,
  );
  printResult(context, options, { revoked: views, unknown }, lines);
  for (const { line, prefix } of unknown) {
    context.note(prefix === null ? `Line ${line} is not an API key.` : `Line ${line}: no API key ${prefix}… is known.`);
  }
  if (unknown.length === 0) return;
  throw new CommandError(`Revoked ${revoked.length} of ${revoked.length + unknown.length} API keys.`);
}
