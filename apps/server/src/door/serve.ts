import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { createDrain, type Drain } from "./drain.ts";
import { inTurn, UnreadAnswers } from "./in-turn.ts";
import { listen, listeningUrl } from "./listen.ts";
import { refuseNonRequests } from "./refuse-non-requests.ts";
import type { RequestMeter } from "./request-log.ts";
import type { Application } from "./send.ts";

/** A server that accepts requests. */
export interface RunningServer extends Drain {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** How long the server waits for a client. */
const usualTimeouts = {
  /** For the entire request. */
  requestMs: 30_000,
  headersMs: 10_000,
  /** For the client to read the entire response. */
  responseMs: 30_000,
  /** How often the three above are checked. */
  checkingIntervalMs: 2_000,
  /** Longer than the 60 seconds for which common proxies keep an idle connection, so that they close it first. */
  keepAliveMs: 65_000,
  // `Supervisor` allows for these two, and then kills a worker.
  drainMs: 10_000,
  idleGraceMs: 10_000,
};

export type ServerTimeouts = typeof usualTimeouts;

/** A connection takes about 10 kB, and up to 16 kB more while its headers arrive. */
const maxConnections = 10_000;
/**
 * What else may be opened after the start, such as connections to the database. A worker without a descriptor for a
 * connection that it is sent never says that it has accepted it, and then gets no more of them.
 */
const keptDescriptors = 10;

interface ServeOptions {
  readonly logger: Logger;
  readonly timeouts?: ServerTimeouts | undefined;
  readonly meter?: RequestMeter | undefined;
}

/** Starts a server with timeouts and limits, so that slow or greedy clients cannot block it. */
export async function serve(
  { answer, messages }: Application,
  address: Pick<Config, "host" | "port" | "publicUrl">,
  { logger, timeouts = usualTimeouts, meter }: ServeOptions,
): Promise<RunningServer> {
  const unread = new UnreadAnswers(timeouts.responseMs, logger);
  const listener = inTurn({ answer, unread, logger, publicUrl: address.publicUrl });
  const server = createServer(
    {
      requestTimeout: timeouts.requestMs,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkingIntervalMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      // Node would answer without a body. The listener refuses such a request like any other ambiguous one.
      requireHostHeader: false,
      // A request without a body does not become an empty stream.
      optimizeEmptyRequests: true,
      ...messages,
    },
    listener,
  );
  server.maxConnections = Math.max(1, Math.min(maxConnections, countFreeDescriptors() - keptDescriptors));
  // Node's types do not contain these options.
  Object.assign(server, {
    // A client may close its side once it has sent its requests. Node would then drop the responses that are not ready.
    httpAllowHalfOpen: true,
    // With workers that have all their connections, the first process would else offer the next one to each of them
    // again and again.
    dropMaxConnection: true,
  });
  // Node hides the headers after this number from the listener, which refuses them, although they still frame the body.
  server.maxHeadersCount = 0;
  // Other expectations than 100-continue may be ignored (RFC 9110, section 10.1.1). Node would refuse them, without body.
  server.on("checkExpectation", listener);
  // Node would send 100 Continue before any check. The body reader sends it instead.
  server.on("checkContinue", listener);
  const port = await listen(server, address);
  const url = listeningUrl(address.host, port);
  refuseNonRequests(server, { baseUrl: address.publicUrl ?? url, logger, timeouts, meter });
  const check = setInterval(() => unread.endLate(), timeouts.checkingIntervalMs).unref();
  server.once("close", () => clearInterval(check));
  return { url, ...createDrain(server, timeouts) };
}

/** How many files and connections this process can still open. Only Linux says it. */
function countFreeDescriptors(): number {
  try {
    return readMaxDescriptors() - readdirSync("/proc/self/fd").length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * How many files and connections this process may open at the same time.
 *
 * @throws Error but on Linux
 */
export function readMaxDescriptors(): number {
  const max = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return Number(max ?? Number.POSITIVE_INFINITY);
}
