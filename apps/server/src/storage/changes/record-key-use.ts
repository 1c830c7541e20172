import type { Database } from "../engine/database.ts";
import { joinSql, nameEach, sql } from "../engine/statement.ts";
import { useIntervalMs } from "../interface/api-key-store.ts";

/** Ids of keys, and when they were used, in milliseconds since 1970. */
export type KeyUses = readonly (readonly [keyId: number, usedAtMs: number])[];

export function prepareRecordKeyUse({ writeOne }: Pick<Database, "writeOne">) {
  return async (uses: KeyUses): Promise<void> => {
    const places = uses.map(
      (_, index) => sql`(cast(:use${2 * index} as bigint), cast(:use${2 * index + 1} as bigint))`,
    );
    const statement = sql`update api_keys set last_used_at = used.column2 from (values ${joinSql(places, sql`, `)}) as used
      where id = used.column1 and coalesce(last_used_at, 0) <= used.column2 - ${useIntervalMs}`;
    await writeOne(statement, nameEach("use", uses.flat()).values);
  };
}
