import type { RefusalReason } from "@siteward/service";

/** Counts requests. There is none unless metrics are turned on. */
export interface RequestMeter {
  /** Called once for each request, when it is answered or its client has disconnected. */
  answered(
    request: { readonly method: string; readonly originalUrl: string },
    status: number,
    durationMs: number,
  ): void;
  /** Called for each request that is answered with an error. */
  refused(reason: RefusalReason): void;
}
