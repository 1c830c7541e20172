import type { IncomingMessage } from "node:http";
import { healthPaths } from "./health-paths.ts";

const admission = Symbol("admission");
const boundOf = Symbol("bound");

declare module "node:http" {
  interface IncomingMessage {
    /** Undefined once the request is answered, or never will be. */
    [admission]?: "counted" | "waiting" | "exempt" | "refused" | undefined;
    [boundOf]?: RequestBound;
  }
}

/**
 * Limits how many requests are in progress in this process, from the head of each request until its answer is complete, except
 * while the server waits for the client to send the body. Those past the limit are refused at once, which takes a fraction of
 * the time of an answer: otherwise each of them waits for all before it, until clients give up and their requests are answered
 * for nobody.
 */
export class RequestBound {
  readonly #maxRequests: number;
  #count = 0;

  constructor(maxRequests: number) {
    this.#maxRequests = maxRequests;
  }

  /** How many requests are in progress. */
  get count(): number {
    return this.#count;
  }

  /** Counts a request, or marks it as one to refuse. */
  enter(request: IncomingMessage): void {
    request[boundOf] = this;
    if (isForMonitoring(request)) request[admission] = "exempt";
    else if (this.#count >= this.#maxRequests) request[admission] = "refused";
    else {
      request[admission] = "counted";
      this.#count += 1;
    }
  }

  /** Does not count a request until `resume` is called. */
  pause(request: IncomingMessage): void {
    if (request[admission] !== "counted") return;
    this.#count -= 1;
    request[admission] = "waiting";
  }

  /** Counts a paused request again, or marks it as one to refuse. It may have left meanwhile. */
  resume(request: IncomingMessage): void {
    if (request[admission] === "waiting") this.enter(request);
  }

  /** Notes that a request is answered, or never will be. More calls for the same request change nothing. */
  leave(request: IncomingMessage): void {
    if (request[admission] === "counted") this.#count -= 1;
    request[admission] = undefined;
  }
}

/**
 * Waits for what the client sends, without counting the request meanwhile: otherwise the slow requests of two API keys would
 * use up the limit of all. Afterwards, the request can be past the limit.
 */
export async function whileClientSends<Result>(request: IncomingMessage, wait: () => Promise<Result>): Promise<Result> {
  const bound = request[boundOf];
  bound?.pause(request);
  try {
    return await wait();
  } finally {
    bound?.resume(request);
  }
}

/** Whether a request is past the limit. */
export function isRefused(request: IncomingMessage): boolean {
  return request[admission] === "refused";
}

/** Whether a request must not wait for requests that are counted. */
export function isAnsweredAtOnce(request: IncomingMessage): boolean {
  return request[admission] === "refused" || request[admission] === "exempt";
}

const exemptPaths: readonly string[] = Object.values(healthPaths);

function isForMonitoring({ url = "" }: IncomingMessage): boolean {
  const queryAt = url.indexOf("?");
  return exemptPaths.includes(queryAt === -1 ? url : url.slice(0, queryAt));
}
