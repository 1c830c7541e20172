import type { WriteConnection } from "../../database/database.ts";

/**
 * Returns the id after that of the newest account, also if it was deleted. The accounts are read first: if one of them is
 * deleted in between, its deletion began before, and so the second query finds it.
 */
export async function readNextAccountId({ build, read }: WriteConnection): Promise<number> {
  const [newest] = await read(build.selectFrom("accounts").select(({ fn }) => fn.max<number | null>("id").as("id")));
  const [deleted] = await read(
    build.selectFrom("account_deletions").select(({ fn }) => fn.max<number | null>("account_id").as("id")),
  );
  return Math.max(newest?.id ?? 0, deleted?.id ?? 0) + 1;
}
