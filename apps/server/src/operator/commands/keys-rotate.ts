import type { Command } from "commander";
import type { RotatedApiKey, StoredApiKey } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import { withFreshKey } from "../database/with-fresh-key.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { readExpiry, readOverlap } from "../options/expiry.ts";
import { readKeyPrefix } from "../options/option-values.ts";
import { requireUnrevoked, unknownKey } from "./api-key-errors.ts";
import { renderExpiry, toApiKeyView } from "./api-key-view.ts";

interface RotateOptions {
  readonly overlap: string;
  readonly expires?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `keys rotate`. */
export function keysRotateCommand(context: CommandContext): Command {
  return databaseCommand("rotate", "replace an API key by a new one, which is shown only once")
    .argument("<prefix>", "prefix of the key, as shown by `keys list`")
    .option("--overlap <duration>", "for how long the old key still works, such as 24h or 7d; 0 ends it at once", "24h")
    .option(
      "--expires <when>",
      'when the new key expires: a duration such as 90d, a date such as 2027-01-31, or "never"; ' +
        "required if the old key expires",
    )
    .action((prefix: string, options: RotateOptions) => rotateKey(context, prefix, options));
}

async function rotateKey(context: CommandContext, prefixText: string, options: RotateOptions): Promise<void> {
  const nowMs = Date.now();
  const prefix = readKeyPrefix(prefixText);
  const overlapMs = readOverlap(options.overlap);
  const chosen = options.expires === undefined ? undefined : readExpiry(options.expires, nowMs);
  await withStorage(context, options, async ({ apiKeys }) => {
    const { key, result } = await withFreshKey((fresh) => {
      const decide = (current: StoredApiKey) => {
        requireUnrevoked(current);
        const expiresAt = chosen === undefined ? neverLike(current) : chosen;
        return { next: { ...fresh, expiresAt }, expiresAt: new Date(nowMs + overlapMs) };
      };
      return apiKeys.rotate(prefix, decide, operatorAuthor(context));
    });
    if (result === undefined) throw unknownKey(prefix);
    print(context, options, { key, ...result });
  });
}

/**
 * Returns the expiry of the new key if the operator does not choose one. The expiry of an old key does not tell: it may be the
 * end of the overlap of an earlier rotation.
 */
function neverLike({ prefix, expiresAt }: StoredApiKey): null {
  if (expiresAt === null) return null;
  throw new UsageError(
    `The API key ${prefix} expires at ${expiresAt.toISOString()}. ` +
      "Use --expires to say when the new key expires, such as 90d or never.",
  );
}

function print(
  context: CommandContext,
  options: RotateOptions,
  { key, old, next }: RotatedApiKey & { readonly key: string },
): void {
  const nowMs = Date.now();
  const view = toApiKeyView(next, nowMs);
  const replaced = toApiKeyView(old, nowMs);
  printResult(context, options, { key, ...view, replaces: replaced }, [
    "The new API key, shown only once:",
    "",
    `  ${key}`,
    "",
    renderExpiry(view),
    replaced.state === "active"
      ? `The old key ${old.prefix} works until ${replaced.expires_at}.`
      : `The old key ${old.prefix} no longer works. Servers notice within 5 seconds.`,
  ]);
}
