import cluster from "node:cluster";
import type { LeaseAnswer, LeaseRequest } from "../limits/leased-rate-limits.ts";

/** What the first process sends to a worker. */
export type MessageToWorker = { readonly retire: true } | { readonly lease: LeaseAnswer };
/** What a worker sends to the first process: a sign of life each second, and requests for tokens. */
export type MessageToPrimary = { readonly beat: true } | { readonly lease: LeaseRequest };

/** The number of a worker's place, from 1. The worker that replaces another one has the same. */
export const slotVariable = "SITEWARD_WORKER_SLOT";
export const beatIntervalMs = 1_000;

/** Whether this process was started as a worker, and not by another program that runs it with node:cluster. */
export function isWorker(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment[slotVariable] !== undefined && cluster.isWorker;
}

export function askForTokens(lease: LeaseRequest): void {
  void send({ lease });
}

/**
 * Links a worker to the first process.
 *
 * @param onTokens gets the answers to `askForTokens`
 */
export function linkToPrimary(onTokens: (answer: LeaseAnswer) => void) {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  process.on("message", (message: MessageToWorker) => {
    if ("retire" in message) retired.resolve();
    else if ("lease" in message) onTokens(message.lease);
  });
  return {
    /** Resolves once another worker has replaced this one. */
    retired: retired.promise,
    /** Resolves once the first process is gone. */
    orphaned: orphaned.promise,
    /** Says each second that the event loop turns. Call this once it listens: a start has its own time limit. */
    startBeating() {
      // Otherwise node:cluster would end this process without the answers to the requests in progress.
      if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true;
      process.once("disconnect", orphaned.resolve);
      if (!process.connected) orphaned.resolve();
      beat();
    },
  };
}

/** Each beat follows the one before it, so that what waits for a first process that is stopped does not grow. */
function beat(): void {
  void send({ beat: true }).then(() => setTimeout(beat, beatIntervalMs).unref());
}

/** Resolves once the message has left this process. Nobody receives it if the first process is gone. */
function send(message: MessageToPrimary): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
  });
}
