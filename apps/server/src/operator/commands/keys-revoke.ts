import { toKeyPrefix } from "@siteward/contract/plain";
import { isKeyPrefix } from "@siteward/service";
import type { Command } from "commander";
import { hashApiKey } from "../../auth/api-key-cache.ts";
import type { ApiKeyStore, StoredApiKey } from "../../storage/interface/storage.ts";
import { toApiKeyView } from "../api-keys.ts";
import { type CommandContext, CommandError, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, operatorAuthor, withStorage } from "../database.ts";
import { type InputLines, readLines } from "../input-lines.ts";
import { printResult } from "../output.ts";
import { readKeyPrefix } from "../values.ts";

type RevokeOptions = DatabaseOptions & { readonly stdin?: boolean };

export function revokeCommand(context: CommandContext): Command {
  return databaseCommand("revoke", "revoke API keys permanently; they stop working within 5 seconds")
    .argument("[prefix]", "prefix of the key, as shown by `keys list`")
    .option("--stdin", "read whole keys or prefixes from standard input, one per line; exits with 1 if any is unknown")
    .action(async (prefix: string | undefined, options: RevokeOptions) => {
      if ((prefix === undefined) !== (options.stdin === true)) throw new UsageError("Use either a prefix or --stdin.");
      if (prefix !== undefined) return revoke(context, options, [{ line: 1, entry: readKeyPrefix(prefix) }]);
      await revoke(context, options, await readLines(context, "an API key", (text) => text));
    });
}

export function unknownKey(prefix: string): UsageError {
  return new UsageError(`No API key has the prefix ${JSON.stringify(prefix)}. Use \`keys list\` to see all keys.`);
}

/**
 * Revokes each key that a line names, by the whole key or by its prefix. A whole key is found by its hash: another key with
 * the same prefix stays. A line that is not a key is never printed: it may be any secret, or a key of another server.
 */
async function revoke(context: CommandContext, options: RevokeOptions, given: InputLines<string>): Promise<void> {
  await withStorage(context, options, async ({ apiKeys }) => {
    let unknown = 0;
    for (const { line, entry: text } of given) {
      const key = await revokeKey(apiKeys, text);
      if (key !== undefined) {
        const told = `Revoked the API key ${key.prefix} (${key.name}) of account ${key.accountId}.`;
        printResult(context, options, toApiKeyView(key, Date.now()), [told]);
        continue;
      }
      if (options.stdin !== true) throw unknownKey(text);
      unknown += 1;
      const prefix = toKeyPrefix(text);
      const what = isKeyPrefix(prefix) ? `: no API key ${prefix}… is known.` : " is not an API key.";
      context.note(`Line ${line}${what}`);
    }
    if (unknown > 0) throw new CommandError(`Revoked ${given.length - unknown} of ${given.length} API keys.`);
  });
}

/** Revokes a whole key, or the key that has this prefix. Returns undefined if it is not known. */
async function revokeKey(apiKeys: ApiKeyStore, text: string): Promise<StoredApiKey | undefined> {
  const isPrefix = isKeyPrefix(text);
  const prefix = isPrefix ? text : (await apiKeys.findByHash(Buffer.from(hashApiKey(text), "hex")))?.prefix;
  return prefix === undefined ? undefined : apiKeys.revoke(prefix, operatorAuthor());
}
