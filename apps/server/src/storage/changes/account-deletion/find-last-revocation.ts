import type { Database } from "../../database/database.ts";

/** Returns when the last key of an account was revoked, in milliseconds since 1970, or undefined if it has no keys. */
export async function findLastRevocation({ build, primary }: Database, accountId: number): Promise<number | undefined> {
  const [last] = await primary.read(
    build
      .selectFrom("api_keys")
      .select(({ fn }) => fn.max<number | null>("revoked_at").as("at"))
      .where("account_id", "=", accountId),
  );
  return last?.at ?? undefined;
}
