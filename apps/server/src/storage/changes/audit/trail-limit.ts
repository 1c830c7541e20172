import { changeLimitReached, databaseBusy, isRefusedFor } from "@siteward/service";
import type { TrailBytes } from "./add-trail-bytes.ts";

const dayMs = 86_400_000;
const megabyte = 1e6;

/** After how many bytes of an account the database learns of them. So one that changes little never writes for it. */
const reportBytes = megabyte;

/**
 * Of how many accounts the count is in memory, which takes 10 MB. For one to be forgotten between two of its changes, as
 * many others must change. With 6,000 changes a second, that takes 17 seconds, so it leaves at most 350 MB of full lists a day.
 */
const maxAccounts = 100_000;

/**
 * Deletions have half of the limit more. Who is past it can still delete what must not be stored any longer, and what an account
 * saved up to delete on one day is bounded too.
 */
const deletionFactor = 1.5;

interface TrailLimitOptions {
  /** How much an account may leave in a day. 0 for no limit. */
  readonly megabytes: number;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** Adds to the total of the account and returns it. */
  readonly add: (left: TrailBytes) => Promise<number>;
  /** Called when an account is refused for the first time in a day. */
  readonly onReached?: ((accountId: number) => void) | undefined;
}

type ChangeKind = "change" | "deletion";

interface AccountUse {
  /** What this process knows of the day: what it has counted, and what others had reported when it last did. */
  bytes: number;
  /** What it has counted since it last reported. */
  unreported: number;
  wasRefused: boolean;
  /** Undefined if no report is on its way. */
  reporting: Promise<void> | undefined;
}

/**
 * Limits what the changes of an account leave in the audit trail in a day (UTC), and in the outcomes of idempotency keys. The total
 * is in the database, so all processes share it. Each may count a megabyte before it reports it, and knows the total only then.
 */
export class TrailLimit {
  readonly #options: TrailLimitOptions;
  /** The use of the day, with the account that was counted or refused last at the end. */
  readonly #accounts = new Map<number, AccountUse>();
  #day = 0;

  constructor(options: TrailLimitOptions) {
    this.#options = options;
  }

  /** How many accounts are counted. */
  get size(): number {
    return this.#accounts.size;
  }

  /**
   * Returns a promise only if the total must be learned first: most changes need not wait.
   *
   * @throws AppError `change_limit_reached`, or the failure of the database. Nothing was changed then.
   */
  requireRoom(accountId: number, kind: ChangeKind = "change"): Promise<void> | undefined {
    const use = this.#find(accountId);
    if (use === undefined) return undefined;
    if (use.unreported < reportBytes && use.reporting === undefined) return this.#refusePast(accountId, kind, use);
    // Not in `#report`, which may fail before its promise is stored.
    use.reporting ??= this.#report(accountId, use).finally(() => {
      use.reporting = undefined;
    });
    return use.reporting.then(() => {
      // The day may have ended since.
      const known = this.#find(accountId);
      if (known !== undefined) this.#refusePast(accountId, kind, known);
    });
  }

  /** Counts what a change has left. */
  count(accountId: number, bytes: number): void {
    if (this.#options.megabytes === 0) return;
    const use = this.#find(accountId) ?? { bytes: 0, unreported: 0, wasRefused: false, reporting: undefined };
    use.bytes += bytes;
    use.unreported += bytes;
    this.#keep(accountId, use);
  }

  #refusePast(accountId: number, kind: ChangeKind, use: AccountUse): undefined {
    const { megabytes, now, onReached } = this.#options;
    const isDeletion = kind === "deletion";
    if (use.bytes < megabytes * megabyte * (isDeletion ? deletionFactor : 1)) return;
    this.#keep(accountId, use);
    if (!use.wasRefused) onReached?.(accountId);
    use.wasRefused = true;
    throw changeLimitReached({ megabytes, isDeletion, atMs: now() });
  }

  #find(accountId: number): AccountUse | undefined {
    const day = Math.floor(this.#options.now() / dayMs);
    if (day !== this.#day) this.#accounts.clear();
    this.#day = day;
    return this.#accounts.get(accountId);
  }

  /** Makes it the last account that is forgotten. */
  #keep(accountId: number, use: AccountUse): void {
    this.#accounts.delete(accountId);
    this.#accounts.set(accountId, use);
    if (this.#accounts.size <= maxAccounts) return;
    const [oldest] = this.#accounts.keys();
    if (oldest !== undefined) this.#accounts.delete(oldest);
  }

  async #report(accountId: number, use: AccountUse): Promise<void> {
    const bytes = use.unreported;
    use.unreported = 0;
    try {
      const total = await this.#options.add({ accountId, day: this.#day, bytes });
      // Another machine, whose clock differs, may have begun the count of another day.
      use.bytes = Math.max(use.bytes, total + use.unreported);
    } catch (error) {
      use.unreported += bytes;
      // It is not known of the report. The change that waited for it has not begun.
      throw isRefusedFor(error, "outcome_unknown") ? databaseBusy(error) : error;
    }
  }
}
