import { toKeyPrefix } from "@siteward/contract/api-key";
import { type ChangeAuthor, isKeyPrefix } from "@siteward/service";
import { hashApiKey } from "../../auth/api-key.ts";
import type { ApiKeyStore, StoredApiKey } from "../../storage/interface/storage.ts";

/** A line of input. */
interface KeyLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export interface RevokedKeys {
  readonly revoked: readonly StoredApiKey[];
  /** The lines that are not a known key, with the prefix if the line may be a key. */
  readonly unknown: ReadonlyArray<{ readonly line: number; readonly prefix: string | null }>;
}

/** Returns the lines of an input that are not blank. */
export function readKeyLines(text: string): KeyLine[] {
  const lines = text.split("\n").map((content, index) => ({ line: index + 1, text: content.trim() }));
  return lines.filter((line) => line.text !== "");
}

/**
 * Revokes each key that a line names, by the whole key or by its prefix. A whole key is found by its hash: another key with the
 * same prefix stays.
 */
export async function revokeKeys(
  apiKeys: ApiKeyStore,
  lines: readonly KeyLine[],
  by: ChangeAuthor,
): Promise<RevokedKeys> {
  const revoked = new Map<string, StoredApiKey>();
  const unknown: { line: number; prefix: string | null }[] = [];
  for (const { line, text } of lines) {
    const prefix = await findPrefix(apiKeys, text);
    const key = prefix === undefined ? undefined : await apiKeys.revoke(prefix, by);
    if (key === undefined) unknown.push({ line, prefix: visiblePrefix(text) });
    else revoked.set(key.prefix, key);
  }
  return { revoked: [...revoked.values()], unknown };
}

async function findPrefix(apiKeys: ApiKeyStore, text: string): Promise<string | undefined> {
  if (isKeyPrefix(text)) return text;
  const key = await apiKeys.findByHash(Buffer.from(hashApiKey(text), "hex"));
  return key?.prefix;
}

/** Returns the part of a key that is no secret, or null if the text cannot be a key: it may be any secret. */
function visiblePrefix(text: string): string | null {
  const prefix = toKeyPrefix(text);
  return isKeyPrefix(prefix) ? prefix : null;
}
