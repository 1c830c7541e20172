import { AppError } from "@siteward/service";
import type { Storage } from "../storage/interface/storage.ts";
import type { Series, SeriesTable } from "./series.ts";

type Call = (...values: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the storage with a clock around each call of its stores, such as `websites.create`. The names follow from the stores, so a
 * new call is measured too.
 */
export function measureStorage(storage: Storage, table: SeriesTable): Storage {
  const stores = Object.entries(storage).map(([store, value]) => [
    store,
    typeof value === "function" ? value : measureStore(store, value, table),
  ]);
  // The cast is safe: each call has the values and the result of the one that it measures.
  return Object.fromEntries(stores) as Storage;
}

function measureStore(store: string, calls: Readonly<Record<string, Call>>, table: SeriesTable): object {
  const measured = Object.entries(calls).map(([name, call]) => [name, measure(call, `${store}.${name}`, table)]);
  return Object.fromEntries(measured);
}

function measure(call: Call, operation: string, table: SeriesTable): Call {
  let succeeded: Series | undefined;
  return (...values) => {
    const startMs = performance.now();
    const result = call(...values);
    // The caller handles the failure.
    result.then(
      () => {
        succeeded ??= table.get("db_client_operation_duration_seconds", operation, "ok");
        succeeded.observe((performance.now() - startMs) / 1000);
      },
      (error) => {
        const failed = table.get("db_client_operation_duration_seconds", operation, outcomeOf(error));
        failed.observe((performance.now() - startMs) / 1000);
      },
    );
    return result;
  };
}

/** The reasons are a closed set. Some are those of an operation that decided a change. */
function outcomeOf(error: unknown): string {
  return error instanceof AppError ? error.reason : "error";
}
