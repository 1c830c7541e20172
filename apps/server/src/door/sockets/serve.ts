import { createServer } from "node:http";
import type { Logger } from "pino";
import { SharedPlaces } from "../../queues/shared-places.ts";
import type { RequestMeter } from "../admission/request-meter.ts";
import { queueRequests } from "../admission/request-queue.ts";
import { RequestTurns } from "../admission/request-turns.ts";
import { UnreadResponses } from "../admission/unread-responses.ts";
import type { Application } from "../http/application.ts";
import { closeListener, createDrain, type Drain, type DrainTimeouts } from "./drain.ts";
import { listen, listeningUrl } from "./listen.ts";
import { type ConnectionSource, receiveConnections } from "./receive-connections.ts";
import { refuseNonRequests } from "./refuse-non-requests.ts";

/** A server that accepts requests. */
export interface RunningServer extends Drain {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** How many requests are in progress. */
  readonly activeRequests: () => number;
}

/** Where to listen, and the URL at which clients reach the server if it differs. */
interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string | undefined;
}

/** How long the server waits for a client. */
export interface ServerTimeouts extends DrainTimeouts {
  /** For the entire request. */
  readonly requestMs: number;
  readonly headersMs: number;
  /** For the client to read the entire response. */
  readonly responseMs: number;
  /** How often the three above are checked. */
  readonly checkingIntervalMs: number;
  readonly keepAliveMs: number;
}

/** Times that are not settings. The pool of workers allows for the last two, and then kills a worker. */
export const fixedTimeouts = {
  checkingIntervalMs: 2_000,
  drainMs: 10_000,
  idleGraceMs: 10_000,
};

/** A connection takes about 10 kB, and up to 16 kB more while its headers arrive. */
export const maxConnections = 10_000;
/** Responses that no client reads. The largest page takes 2 MB. */
const maxUnreadBytes = 64 * 1024 * 1024;
/**
 * Bodies whose requests are not answered: 256 of the largest ones. The fields of one take up to ten times its length: as they were
 * sent, as they are stored, and on their way to the thread that writes. With 1,000 of them, a process used 706 MB.
 */
const maxBodyBytesInProgress = 16 * 1024 * 1024;

interface ServeOptions {
  readonly logger: Logger;
  readonly timeouts: ServerTimeouts;
  /** How many requests may be in progress. */
  readonly maxRequests: number;
  /** Where connections come from, if another process listens at the address. */
  readonly connections?: ConnectionSource | undefined;
  /** Counts what is no request. Undefined if nothing is measured. */
  readonly meter?: RequestMeter | undefined;
}

/** Starts a server with timeouts and limits, so that slow or greedy clients cannot block it. */
export async function serve(
  { listener, keyOf, messages }: Application,
  address: ServerAddress,
  { logger, timeouts, maxRequests, connections, meter }: ServeOptions,
): Promise<RunningServer> {
  const unread = new UnreadResponses({ answerMs: timeouts.responseMs, maxUnreadBytes }, logger);
  const turns = new RequestTurns(() => performance.now());
  const inProgress = {
    places: new SharedPlaces(maxRequests),
    bodyBytes: new SharedPlaces(maxBodyBytesInProgress),
    keyOf,
  };
  const answer = queueRequests({ inProgress, turns, listener, unread, logger });
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
    answer,
  );
  server.maxConnections = maxConnections;
  // A client may close its side as soon as it has sent its requests. Node would then drop the responses that are not
  // ready. Its types do not contain this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Node hides the headers after this number from the listener, although they still frame the body. The listener refuses
  // them.
  server.maxHeadersCount = 0;
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1). Node would refuse them without a
  // body.
  server.on("checkExpectation", answer);
  // Node would send 100 Continue before any check. The body reader sends it instead.
  server.on("checkContinue", answer);
  const port = connections === undefined ? await listen(server, address) : address.port;
  const url = listeningUrl(address.host, port);
  refuseNonRequests(server, { baseUrl: address.publicUrl ?? url, logger, timeouts, meter });
  const check = setInterval(() => unread.endLate(performance.now()), timeouts.checkingIntervalMs).unref();
  server.once("close", () => clearInterval(check));
  const stopAccepting = connections === undefined ? closeListener(server) : receiveConnections(server, connections);
  return { url, activeRequests: () => inProgress.places.taken, ...createDrain(server, stopAccepting, timeouts) };
}
