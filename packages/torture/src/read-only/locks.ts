import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import type { Database } from "../engines/database.ts";

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

/**
 * Returns how a server is started on the database.
 *
 * @param options.isBound whether the locks hold for it. Root passes over the permissions of files, unless it gives up that right, and a
 *   session passes over the setting of its database.
 */
export function writerOf(
  { file, url }: Database,
  { isBound }: { readonly isBound: boolean },
): { readonly url: string; readonly wrapper: readonly string[] } {
  if (file === undefined) return { url: isBound ? url : `${url}?options=${override}`, wrapper: [] };
  const isRoot = process.getuid?.() === 0;
  return { url, wrapper: isBound && isRoot ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [] };
}

const override = encodeURIComponent("-c default_transaction_read_only=off");
