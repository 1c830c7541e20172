import { isApiError } from "../../errors/is-api-error.ts";
import { compareStates } from "../state/compare-states.ts";
import type { WebsiteChange } from "../state/mirrored-website.ts";
import type { WebsiteState } from "../state/website-state.ts";
import { type Following, followChanges, type Place } from "./follow-changes.ts";
import { FullRead } from "./full-read.ts";

/** A state that is known to be that of the account at some time. */
export interface SyncedPlace extends Place {
  /** The state has every change that was acknowledged before this time, in milliseconds since 1970. */
  readonly syncMs: number;
}

/** The state of an account as it is known last, and what it takes to bring it up to date. */
export class FollowedState {
  #synced: SyncedPlace | undefined;
  /** A read of all websites that has begun. The synced state is served until it is complete. */
  #reading: FullRead | undefined;
  readonly #onChanges: (changes: Iterable<WebsiteChange>) => void;

  /**
   * @param synced what a file contained
   * @param onChanges called after changes are applied. Not called for the first state.
   */
  constructor(synced: SyncedPlace | undefined, onChanges: (changes: Iterable<WebsiteChange>) => void) {
    this.#synced = synced;
    this.#onChanges = onChanges;
  }

  /** Undefined until all websites were read once. */
  get synced(): SyncedPlace | undefined {
    return this.#synced;
  }

  /**
   * Brings the state up to date: by the changes since the last time, or if they are no longer known, by all websites.
   *
   * @throws the error of the request that failed. The next call continues from there.
   */
  async sync(following: Following): Promise<void> {
    const { state } = this.#synced ?? {};
    if (this.#synced !== undefined && this.#reading === undefined) {
      try {
        const syncMs = await followChanges(this.#synced, following, this.#onChanges);
        this.#synced = { ...this.#synced, syncMs };
        return;
      } catch (error) {
        if (!isCursorRefused(error)) throw error;
        this.#reading = new FullRead(state);
        if (!isApiError(error, "cursor_expired")) throw error;
      }
    }
    await this.#readAll(following, state);
  }

  async #readAll(following: Following, before: WebsiteState | undefined): Promise<void> {
    this.#reading ??= new FullRead(before);
    try {
      this.#synced = await this.#reading.run(following);
    } catch (error) {
      // The read took longer than the service keeps changes, or another installation answers. The next call begins anew.
      if (isCursorRefused(error)) this.#reading = undefined;
      throw error;
    }
    this.#reading = undefined;
    if (before !== undefined) this.#onChanges(compareStates(before, this.#synced.state));
  }
}

/**
 * Whether the service cannot continue from a cursor. Besides 410, these are the statuses of a cursor that it does not understand,
 * such as one of a newer service that was replaced by an older one.
 */
function isCursorRefused(error: unknown): boolean {
  return isApiError(error) && [400, 410, 422].includes(error.status);
}
