import type { LeaseAnswer, LeaseRequest } from "../limits/lease-messages.ts";
import type { Snapshot } from "../metrics/series.ts";

/**
 * What the primary sends to a worker. Each connection has its own number, in rising order. The worker sends the number of
 * an `echo` back. The channel keeps the order, so the answer to every earlier connection comes first.
 */
export type MessageToWorker =
  | { readonly kind: "connection"; readonly number: number }
  | { readonly kind: "echo"; readonly number: number }
  | { readonly kind: "leases"; readonly answer: LeaseAnswer }
  | { readonly kind: "metrics" }
  | { readonly kind: "retire" };

/**
 * What a worker sends to the primary. It is `ready` when it starts to accept connections, and has `left` when it accepts
 * no more. For each connection, it says whether it has `taken` it, or `refused` it without reading from it. It sends its
 * `metrics` when it is asked for them, from time to time, and before it ends.
 */
export type MessageToPrimary =
  | { readonly kind: "taken" | "refused" | "echo"; readonly number: number }
  | { readonly kind: "leases"; readonly request: LeaseRequest }
  | { readonly kind: "metrics"; readonly snapshot: Snapshot }
  | { readonly kind: "beat" | "ready" | "left" };
