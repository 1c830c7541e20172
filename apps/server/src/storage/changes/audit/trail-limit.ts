import { changeLimitReached, isRefusedFor } from "@siteward/service";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";

const dayMs = 86_400_000;
const megabyte = 1e6;

/**
 * Deletions have half of the limit more. Who is past it can still delete what must not be stored any longer, and what an account
 * saved up to delete on one day is bounded too.
 */
const deletionFactor = 1.5;

/** What a change leaves in the audit trail, and how much its account may leave in a day (UTC), with the outcomes of idempotency keys. */
export interface TrailUse {
  readonly bytes: number;
  /** 0 for no limit. */
  readonly megabytes: number;
  readonly isDeletion: boolean;
  /** The time by the clock, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The values of a change by which its account is counted. */
export interface TrailValues {
  /** The day, counted from 1970-01-01. */
  readonly day: number;
  readonly left_bytes: number;
  readonly max_bytes: number;
}

export function toTrailValues({ bytes, megabytes, isDeletion, nowMs }: TrailUse): TrailValues {
  const limit = megabytes * megabyte * (isDeletion ? deletionFactor : 1);
  return {
    day: Math.floor(nowMs / dayMs),
    left_bytes: bytes,
    max_bytes: megabytes === 0 ? Number.MAX_SAFE_INTEGER : limit,
  };
}

/**
 * Builds the columns of an account that count what a change leaves. The day that was counted last wins, also if it is an earlier one: a
 * machine whose clock was ahead must not refuse changes until its day comes.
 */
export function addTrailBytes(value: Placeholder<TrailValues>) {
  return {
    trail_day: value("day"),
    trail_bytes: sql<number>`case when trail_day = ${value("day")} then trail_bytes else 0 end + ${value("left_bytes")}`,
  };
}

/** The condition that an account has left less than it may. */
export function hasTrailRoom(value: Placeholder<TrailValues>): RawBuilder<boolean> {
  return sql`(trail_day <> ${value("day")} or trail_bytes < ${value("max_bytes")})`;
}

/** Returns a function that finds out why a change found nothing to change: it throws an error if the account has left all that it may. */
export function prepareRequireTrailRoom({ build, primary }: Database) {
  const find = prepare((value: Placeholder<{ id: number }>) =>
    build.selectFrom("accounts").select(["trail_day", "trail_bytes"]).where("id", "=", value("id")),
  );
  return async (id: number, use: TrailUse): Promise<void> => {
    const { megabytes, isDeletion, nowMs: atMs } = use;
    if (megabytes === 0) return;
    const [account] = await primary.read(find({ id }));
    const { day, max_bytes: max } = toTrailValues(use);
    if (account === undefined || account.trail_day !== day || account.trail_bytes < max) return;
    throw changeLimitReached({ megabytes, isDeletion, atMs });
  };
}

type AccountCall<Rest extends readonly unknown[], Result> = (accountId: number, ...rest: Rest) => Promise<Result>;

/** Of how many refused accounts it is remembered that this was told. */
const maxTold = 100_000;

/** Returns a function that tells when a change of an account is refused because of its trail, for the first time in a day. */
export function tellRefusals(now: () => number, onReached: ((accountId: number) => void) | undefined) {
  const told = new Map<number, number>();
  const tell = (accountId: number): void => {
    const day = Math.floor(now() / dayMs);
    if (told.get(accountId) === day) return;
    if (told.size >= maxTold) told.clear();
    told.set(accountId, day);
    onReached?.(accountId);
  };
  return <Rest extends readonly unknown[], Result>(change: AccountCall<Rest, Result>): AccountCall<Rest, Result> =>
    (accountId, ...rest) =>
      change(accountId, ...rest).catch((error: unknown) => {
        if (isRefusedFor(error, "change_limit_reached")) tell(accountId);
        throw error;
      });
}
