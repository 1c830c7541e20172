import type { LeaseAnswer, LeaseRequest } from "../limits/lease-messages.ts";

/**
 * What the primary sends to a worker. Each connection has its own number, in rising order. The worker sends the number of
 * an `echo` back. The channel keeps the order, so the answer to every earlier connection comes first.
 */
export type MessageToWorker =
  | { readonly kind: "connection"; readonly number: number }
  | { readonly kind: "echo"; readonly number: number }
  | { readonly kind: "leases"; readonly answer: LeaseAnswer }
  | { readonly kind: "retire" };

/**
 * What a worker sends to the primary. It is `ready` when it starts to accept connections, and has `left` when it accepts
 * no more. For each connection, it says whether it has `taken` it, or `refused` it without reading from it.
 */
export type MessageToPrimary =
  | { readonly kind: "taken" | "refused" | "echo"; readonly number: number }
  | { readonly kind: "leases"; readonly request: LeaseRequest }
  | { readonly kind: "beat" | "ready" | "left" };
