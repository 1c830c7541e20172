import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../engines/database.ts";
import type { EngineName } from "../engines/engine-name.ts";

/** Breaks the database while requests are sent, and repairs it again. The server does not know. */
export interface Breakage {
  /** Removes a table, and then refuses every website with a password: faults that the server does not expect. */
  readonly withFault: (send: () => Promise<void>) => Promise<void>;
  /** Makes the database unreachable for writes. */
  readonly withoutReach: (send: () => Promise<void>) => Promise<void>;
}

export function openBreakage(database: Database): Breakage {
  return {
    withFault: async (send) => {
      await database.query("alter table websites rename to websites_gone");
      await send();
      await database.query("alter table websites_gone rename to websites");
      const [forbid, allow] = forbidPasswords[database.engine];
      await database.query(forbid);
      await send();
      await database.query(allow);
    },
    withoutReach: (send) => holdBack[database.engine](database, send),
  };
}

/** If a check refuses a row, PostgreSQL's error contains the entire row, including the password's hash. */
const forbidPasswords = {
  sqlite: [
    "create trigger torture before insert on websites when new.privacy = 2 begin select raise(abort, 'torture'); end",
    "drop trigger torture",
  ],
  postgres: [
    "alter table websites add constraint torture check (privacy <> 2) not valid",
    "alter table websites drop constraint torture",
  ],
} as const satisfies Record<EngineName, readonly [string, string]>;

const holdBack = {
  /** Keeps the write lock for as long as the server waits for it. */
  sqlite: async ({ file = "" }, send) => {
    const holder = new DatabaseSync(file, { timeout: 10_000 });
    holder.exec("begin immediate");
    await send();
    holder.exec("rollback");
    holder.close();
  },
  /** Repeatedly ends all connections of the server. */
  postgres: async (database, send) => {
    let isDone = false;
    const sending = send().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() " +
          "and pid <> pg_backend_pid()",
      );
      await sleep(1);
    }
    await sending;
  },
} as const satisfies Record<EngineName, (database: Database, send: () => Promise<void>) => Promise<void>>;
