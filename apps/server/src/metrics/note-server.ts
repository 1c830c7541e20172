import type { StorageLoad } from "../storage/interface/storage-load.ts";
import type { SeriesTable } from "./series.ts";

/** What a process serves with. */
export interface MeasuredServer {
  readonly activeRequests: number;
  readonly passwords: { readonly running: number; readonly waiting: number };
  readonly storage: StorageLoad;
  /** The accounts and their websites. Undefined while they are not known. */
  readonly totals: { readonly accounts: number; readonly websites: number } | undefined;
}

export function noteServer(table: SeriesTable, { activeRequests, passwords, storage, totals }: MeasuredServer): void {
  table.get("http_server_active_requests").set(activeRequests);
  table.get("siteward_passwords_running").set(passwords.running);
  table.get("siteward_passwords_waiting").set(passwords.waiting);
  if (totals !== undefined) {
    table.get("siteward_accounts").set(totals.accounts);
    table.get("siteward_websites").set(totals.websites);
  }
  noteStorage(table, storage);
}

function noteStorage(table: SeriesTable, { waitingWrites, groups, pools, replication }: StorageLoad): void {
  table.get("siteward_storage_waiting_writes").set(waitingWrites);
  table.get("siteward_storage_write_groups_total").set(groups.count);
  table.get("siteward_storage_grouped_writes_total").set(groups.writes);
  for (const { name, max, used, idle, waiting } of pools) {
    table.get("db_client_connection_max", name).set(max);
    table.get("db_client_connections", name, "used").set(used);
    table.get("db_client_connections", name, "idle").set(idle);
    table.get("db_client_connection_pending_requests", name).set(waiting);
  }
  if (replication === undefined) return;
  table.get("siteward_replica_reads_total", "replica").set(replication.reads);
  table.get("siteward_replica_reads_total", "primary").set(replication.readsPassedOver);
  for (const [index, lagBytes] of replication.lagBytes.entries()) {
    // Their order is that of the setting. Their addresses can name what nobody else should know.
    if (lagBytes !== undefined) table.get("siteward_replica_lag_bytes", String(index + 1)).set(lagBytes);
  }
}
