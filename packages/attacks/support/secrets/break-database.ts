import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database, EngineName } from "@siteward/testing/engines/database";

type Send = () => Promise<void>;

/** Sends while a table is gone, and while every website with a password is refused: faults that the server does not expect. */
export async function withFaults(database: Database, send: Send): Promise<void> {
  await database.query("alter table websites rename to websites_gone");
  await send();
  await database.query("alter table websites_gone rename to websites");
  const [forbid, allow] = forbidPasswords[database.engine];
  await database.query(forbid);
  await send();
  await database.query(allow);
}

/** Sends while the database cannot be reached for writes. */
export function withoutReach(database: Database, send: Send): Promise<void> {
  return holdBack[database.engine](database, send);
}

/** If a check refuses a row, PostgreSQL's error contains the entire row, including the password's hash. */
const forbidPasswords = {
  sqlite: [
    "create trigger attack before insert on websites when new.privacy = 2 begin select raise(abort, 'attack'); end",
    "drop trigger attack",
  ],
  postgres: [
    "alter table websites add constraint attack check (privacy <> 2) not valid",
    "alter table websites drop constraint attack",
  ],
} as const satisfies Record<EngineName, readonly [string, string]>;

const holdBack = {
  /** Keeps the write lock for as long as the server waits for it. */
  sqlite: async ({ file = "" }, send) => {
    using holder = new DatabaseSync(file, { timeout: 10_000 });
    holder.exec("begin immediate");
    await send();
    holder.exec("rollback");
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
} as const satisfies Record<EngineName, (database: Database, send: Send) => Promise<void>>;
