import { Histogram, type Registry } from "@prometheus-io/client";
import { AppError } from "@siteward/service";
import type { Storage } from "../storage/interface/storage.ts";

type Call = (...values: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the storage with a clock around each call of its stores, such as `websites.create`. The names follow from the
 * stores, so a new call is measured too.
 */
export function measureStorage(storage: Storage, registry: Registry): Storage {
  const durations = new Histogram({
    name: "db_client_operation_duration_seconds",
    help: "How long calls of storage took, with their wait for the thread that writes or for a connection.",
    labelNames: ["db_operation_name", "outcome"],
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const measureStore = (store: string, calls: Readonly<Record<string, Call>>) =>
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, measure(call, `${store}.${name}`)]));
  const measure = (call: Call, operation: string): Call => {
    const succeeded = durations.labels(operation, "ok");
    return (...values) => {
      const startMs = performance.now();
      const result = call(...values);
      const seconds = () => (performance.now() - startMs) / 1000;
      // The caller handles the failure.
      result.then(
        () => succeeded.observe(seconds()),
        (error) => durations.labels(operation, outcomeOf(error)).observe(seconds()),
      );
      return result;
    };
  };
  const stores = Object.entries(storage).map(([store, value]) => [
    store,
    typeof value === "function" ? value : measureStore(store, value),
  ]);
  // The cast is safe: each call has the values and the result of the one that it measures.
  return Object.fromEntries(stores) as Storage;
}

/** The reasons are a closed set. Some are those of an operation that decided a change. */
function outcomeOf(error: unknown): string {
  return error instanceof AppError ? error.reason : "error";
}
