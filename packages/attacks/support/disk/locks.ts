import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database } from "@siteward/testing/engines/database";

/** A way to take away the right to write to a database. */
export interface Lock {
  readonly name: string;
  close(): Promise<void>;
  open(): Promise<void>;
}

/** Returns the ways of an engine. The first one also works while a server runs. */
export function locksOf(database: Database): readonly [Lock, ...Lock[]] {
  return database.file === undefined ? [readOnlyTransactions(database)] : fileLocks(database.file);
}

function fileLocks(file: string): readonly [Lock, ...Lock[]] {
  const folder = dirname(file);
  return [
    { name: "a file of mode 0444", close: () => chmod(file, 0o444), open: () => chmod(file, 0o600) },
    { name: "a folder of mode 0555", close: () => chmod(folder, 0o555), open: () => chmod(folder, 0o700) },
  ];
}

/** As after a failover, all connections are new. */
function readOnlyTransactions({ url, query }: Database): Lock {
  const name = `"${new URL(url).pathname.slice(1)}"`;
  const set = async (value: "on" | "off") => {
    await query(`begin read write; alter database ${name} set default_transaction_read_only = ${value}; commit`);
    const others = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    if (value === "on") await query(`select pg_terminate_backend(pid) ${others}`);
  };
  return { name: "default_transaction_read_only = on", close: () => set("on"), open: () => set("off") };
}
