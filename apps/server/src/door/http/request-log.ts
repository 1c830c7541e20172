import { clientAddressOf } from "../../auth/client-network.ts";
import type { Log } from "../../log.ts";
import type { RequestMeter } from "../admission/request-meter.ts";
import type { Step } from "./run-steps.ts";

interface RequestLogOptions {
  /** Also measures each request. */
  readonly meter: RequestMeter | undefined;
  /** Whether a proxy is trusted to report the client's address. Without one, it is the connection's own. */
  readonly hasProxy: boolean;
}

/** Logs one line for every request, once it is answered or the client has disconnected. */
export function requestLog(answered: Log["answered"], { meter, hasProxy }: RequestLogOptions): Step {
  return (exchange) => {
    const { request, response } = exchange;
    const startedAtMs = performance.now();
    // This event comes once.
    response.on("close", () => {
      const { knownPrincipal } = exchange;
      const durationMs = performance.now() - startedAtMs;
      // The client disconnected before it got a response. Other servers use the same number for this.
      const status = response.headersSent ? response.statusCode : 499;
      meter?.answered(request, status, durationMs);
      answered({
        request_id: exchange.id,
        method: request.method,
        path: pathOf(request.originalUrl),
        remote: hasProxy ? clientAddressOf(request) : request.socket.remoteAddress,
        account_id: knownPrincipal?.accountId,
        api_key: knownPrincipal?.prefix,
        status,
        is_complete: response.writableFinished,
        duration_ms: Math.round(durationMs * 10) / 10,
      });
    });
  };
}

/** An API key, or the user and password of a URL, that a client has put into a path. */
const secretInPath = /swk_\w+|(?<=\/\/)[^/]*@/g;

function pathOf(url: string): string {
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  // Looking for how each begins takes a fifth of the time.
  return path.includes("swk_") || path.includes("//") ? path.replace(secretInPath, "[redacted]") : path;
}
