import type { UpdateWebsite, Website } from "@siteward/contract/types";
import type { Change, VersionTag } from "./change.ts";

/**
 * What became of one website, as the service has confirmed it:
 *
 * - `changed`: it was created, updated or deleted by this change.
 * - `already`: nothing was to be changed.
 * - `refused`: it cannot have the change, for a reason of its own. Others can.
 * - `failed`: nothing was changed, and nothing is wrong with the website.
 * - `unknown`: a request was sent, its answer was lost, and the website could not tell since.
 * - `not_tried`: the run ended before.
 */
export type OutcomeState = "changed" | "already" | "refused" | "failed" | "unknown" | "not_tried";

/** What became of one change. It is small, so that 50,000 can be kept until somebody takes them back. */
export interface Outcome {
  /** What was wanted. After a lost answer, with what the attempt has sent. */
  readonly change: Change;
  readonly state: OutcomeState;
  /** What an update has changed. */
  readonly fields?: UpdateWebsite | undefined;
  /** What it has replaced: these fields before it, and `has_password`. */
  readonly before?: Partial<Website> | undefined;
  /** The version as it was seen last, with the website if it is refused. Undefined if it is gone, or was not seen. */
  readonly now?: VersionTag | undefined;
  /** The ID of a website that was created, or that the account has. */
  readonly id?: number | undefined;
  /** Why it was not changed. */
  readonly error?: unknown;
  /**
   * Why it was not changed, if no error of the service says it:
   *
   * - `changed`, `gone`: others have changed or deleted it.
   * - `opens`: others have made it less visible since somebody agreed to what the run exposes.
   * - `overwritten`: another version than `only` was replaced, since something on the way removed the condition.
   * - `untagged`: something on the way removed the entity tag, without which changes of others could be lost.
   */
  readonly reason?: "changed" | "gone" | "opens" | "overwritten" | "untagged" | undefined;
  /** Whether a website that others have changed has what was wanted, except perhaps for the password. */
  readonly isAsWanted?: boolean | undefined;
}
