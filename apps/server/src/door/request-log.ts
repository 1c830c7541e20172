import type { RefusalReason } from "@siteward/service";
import { clientAddressOf } from "../auth/client-network.ts";
import type { Log } from "../log.ts";
import type { Exchange } from "./exchange.ts";
import type { Step } from "./run-steps.ts";

/** Counts requests. There is none unless metrics are turned on. */
export interface RequestMeter {
  /** Called once for each request, when it is answered or its client has disconnected. */
  answered(request: Pick<Exchange, "method" | "url">, status: number, durationMs: number): void;
  /** Called for each request that is answered with an error. */
  refused(reason: RefusalReason): void;
}

/**
 * Logs one line for every request, once it is answered or the client has disconnected, and measures it. Headers, the
 * query and the body are left out: they can contain keys and passwords.
 *
 * @param hasProxy whether a proxy is trusted to report the client's address. Without one, it is the connection's own.
 */
export function requestLog(answered: Log["answered"], meter: RequestMeter | undefined, hasProxy: boolean): Step {
  return (exchange) => {
    const { request, response } = exchange;
    // Node remembers it from now on. It cannot read the address of a connection that was reset.
    const { remoteAddress } = request.socket;
    const startedAtMs = performance.now();
    // This event comes once.
    response.on("close", () => {
      const { knownPrincipal } = exchange;
      const durationMs = performance.now() - startedAtMs;
      // The client disconnected before it got a response. Other servers use the same number for this.
      const status = response.headersSent ? response.statusCode : 499;
      meter?.answered(exchange, status, durationMs);
      answered({
        request_id: exchange.id,
        method: exchange.method,
        path: pathOf(exchange.url),
        remote: (hasProxy ? clientAddressOf(request) : remoteAddress)?.replace(/^::ffff:(?=\d+\.)/, ""),
        // These two are unknown without a valid API key.
        account_id: knownPrincipal?.accountId,
        api_key: knownPrincipal?.prefix,
        status,
        // As the metrics count it, and undefined for an answer that is no error.
        reason: exchange.refusal,
        is_complete: response.writableFinished,
        duration_ms: Math.round(durationMs * 10) / 10,
      });
    });
  };
}

/** An API key, or the user and password of a URL, that a client has put into a path. */
const secretInPath = /swk_\w+|(?<=\/\/)[^/]*@/g;

function pathOf(url: string): string {
  const [path = ""] = url.split("?", 1);
  // Looking for how each begins takes a fifth of the time.
  return path.includes("swk_") || path.includes("//") ? path.replace(secretInPath, "[redacted]") : path;
}
