/**
 * What the primary sends to a worker. Each connection has a number of its own, in rising order. An echo asks the worker to send
 * the number back: the channel keeps the order, so every answer to an earlier connection comes before it.
 */
export type MessageToWorker =
  | { readonly kind: "connection"; readonly number: number }
  | { readonly kind: "echo"; readonly number: number }
  | { readonly kind: "retire" };

/**
 * What a worker sends to the primary. It is `ready` when it begins to take connections and has `left` when it takes no more.
 * Of each connection it says whether it has `taken` it, or `refused` it without reading from it.
 */
export type MessageToPrimary =
  | { readonly kind: "taken" | "refused" | "echo"; readonly number: number }
  | { readonly kind: "beat" | "ready" | "left" };
