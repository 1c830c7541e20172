import { type ChangeOptions, isApiError, type Siteward } from "@siteward/sdk";
import type { Io } from "../process/io.ts";
import { errorOfSeveral } from "./error-of-several.ts";
import type { Verdict } from "./result.ts";
import { type NamedItem, runSeveral } from "./run-several.ts";

/** A website to delete. Its name is that which the user gave it. */
export interface Target extends NamedItem {
  readonly id: number;
  /** Null if the API key cannot read websites. */
  readonly domain: string | null;
}

/** How websites are deleted. */
export interface DeleteOptions {
  readonly condition: ChangeOptions;
  /** Whether a website that is gone counts as done. */
  readonly isMissingIgnored: boolean;
}

/** What several deletes have done. */
interface Deletions {
  /** In the order of the targets. */
  readonly deleted: readonly Target[];
  /** Undefined if none of the websites exists any more. */
  readonly error: unknown;
}

/**
 * Deletes websites in order.
 *
 * @throws what the delete throws, if there is only one website
 */
export async function deleteSeveral(
  io: Io,
  siteward: Siteward,
  targets: readonly Target[],
  { condition, isMissingIgnored }: DeleteOptions,
): Promise<Deletions> {
  const deleted: Target[] = [];
  const remove = async (target: Target, waitSignal?: AbortSignal): Promise<Verdict> => {
    const { id } = target;
    try {
      await siteward.websites.delete(id, { ...condition, waitSignal });
      deleted.push(target);
      return { outcome: "deleted", id };
    } catch (error) {
      if (!isMissingIgnored || !isApiError(error, "not_found")) throw error;
      return { outcome: "skipped", id, reason: "does not exist" };
    }
  };
  const [only, ...others] = targets;
  if (only !== undefined && others.length === 0) {
    await remove(only);
    return { deleted, error: undefined };
  }
  const run = await runSeveral(io, { label: "Deleting", items: targets, change: remove });
  return { deleted, error: errorOfSeveral(run, { howToRepeat }) };
}

const howToRepeat = "Run the command again with --ignore-missing to delete the rest.";
