import { toKeyPrefix } from "@siteward/contract/plain";
import { isKeyPrefix } from "@siteward/service";
import type { Command } from "commander";
import { hashApiKey } from "../../auth/api-key-cache.ts";
import type { ApiKeyStore, StoredApiKey } from "../../storage/interface/storage.ts";
import { toApiKeyView } from "../api-keys.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { type DatabaseOptions, databaseCommand, operatorAuthor, withStorage } from "../database.ts";
import { readLines } from "../input-lines.ts";
import { printResult } from "../output.ts";
import { readKeyPrefix } from "../values.ts";

type RevokeOptions = DatabaseOptions & { readonly stdin?: boolean };

export function revokeCommand(context: CommandContext): Command {
  return databaseCommand("revoke", "revoke API keys permanently; they stop working within 5 seconds")
    .argument("[prefix]", "prefix of the key, as shown by `keys list`")
    .option("--stdin", "read whole keys or prefixes from standard input, one per line; exits with 1 if any is unknown")
    .action((prefix: string | undefined, options: RevokeOptions) => {
      if (options.stdin !== true) return revokeOne(context, prefix, options);
      if (prefix !== undefined) throw new UsageError("Use either a prefix or --stdin.");
      return revokeInput(context, options);
    });
}

export function unknownKey(prefix: string): UsageError {
  return new UsageError(`No API key has the prefix ${JSON.stringify(prefix)}. Use \`keys list\` to see all keys.`);
}

async function revokeOne(context: CommandContext, text: string | undefined, options: RevokeOptions): Promise<void> {
  if (text === undefined) throw new UsageError("Name the prefix of the key, or use --stdin.");
  const prefix = readKeyPrefix(text);
  await withStorage(context, options, async ({ apiKeys }) => {
    const revoked = await apiKeys.revoke(prefix, operatorAuthor());
    if (revoked === undefined) throw unknownKey(prefix);
    printResult(context, options, toApiKeyView(revoked, Date.now()), [`Revoked the API key ${prefix}.`]);
  });
}

/**
 * Revokes each key that a line of the input names, by the whole key or by its prefix. A whole key is found by its hash:
 * another key with the same prefix stays. A line that is not a key is never printed: it may be any secret, or a key of
 * another server.
 */
async function revokeInput(context: CommandContext, options: RevokeOptions): Promise<void> {
  const given = await readLines(context, "an API key", (text) => text);
  await withStorage(context, options, async ({ apiKeys }) => {
    const revoked = new Map<string, StoredApiKey>();
    /** The lines that are not a known key, with the prefix if the line may be a key. */
    const unknown: { line: number; prefix: string | null }[] = [];
    for (const { line, entry: text } of given) {
      const key = await revokeKey(apiKeys, text);
      if (key === undefined) unknown.push({ line, prefix: isKeyPrefix(toKeyPrefix(text)) ? toKeyPrefix(text) : null });
      else revoked.set(key.prefix, key);
    }
    const views = [...revoked.values()].map((key) => toApiKeyView(key, Date.now()));
    const told = views.map((key) => `Revoked the API key ${key.prefix} (${key.name}) of account ${key.account_id}.`);
    printResult(context, options, { revoked: views, unknown }, told);
    for (const { line, prefix } of unknown)
      context.note(
        prefix === null ? `Line ${line} is not an API key.` : `Line ${line}: no API key ${prefix}… is known.`,
      );
    if (unknown.length === 0) return;
    throw new CommandError(`Revoked ${views.length} of ${views.length + unknown.length} API keys.`);
  });
}

/** Revokes a whole key, or the key that has this prefix. Returns undefined if it is not known. */
async function revokeKey(apiKeys: ApiKeyStore, text: string): Promise<StoredApiKey | undefined> {
  const isPrefix = isKeyPrefix(text);
  const prefix = isPrefix ? text : (await apiKeys.findByHash(Buffer.from(hashApiKey(text), "hex")))?.prefix;
  return prefix === undefined ? undefined : apiKeys.revoke(prefix, operatorAuthor());
}
