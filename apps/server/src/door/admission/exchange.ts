import type { IncomingMessage } from "node:http";
import type { Conditions, IdempotentRequest, Principal as ServedPrincipal } from "@siteward/service";
import type { Request, Response } from "express";

/** Who a request acts for: a valid API key, and through it one account. */
export interface Principal extends ServedPrincipal {
  /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
  readonly rateLimit: number | null;
}

/** How many requests are in progress in this process, and how many may be. */
export interface RequestsInProgress {
  readonly max: number;
  count: number;
}

/** The paths that monitoring reads. They are answered however busy the process is. */
export const healthPaths = { alive: "/healthz", ready: "/readyz" } as const;

const exchangeKey = Symbol("exchange");

declare module "node:http" {
  interface IncomingMessage {
    [exchangeKey]?: Exchange;
  }
}

/**
 * A request, the response that answers it, and what is known of the two. There is one for each request, from its head until its
 * answer has left the process. Each step adds what it finds out.
 *
 * It also knows whether the request counts as in progress: from its turn on its connection until its answer is complete, except
 * while the server waits for the client to send the body. Those past the limit are refused at once, which takes a fraction of the
 * time of an answer: otherwise each of them waits for all before it, until clients give up and their requests are answered for
 * nobody.
 */
export class Exchange {
  readonly request: Request;
  readonly response: Response;
  /**
   * Names and values of headers in turn, in the order in which they are sent. They are collected here and written with one
   * `writeHead`: Node's `setHeader` and Express's `json` look at each of them again.
   */
  readonly headers: string[] = [];
  /** The ID that the response, the log and the audit trail name. */
  id = "";
  /** What the request requires of the state of the record. */
  conditions: Conditions | undefined = undefined;
  /** The idempotency key of the request with what it stands for. */
  idempotency: IdempotentRequest | undefined = undefined;
  readonly #inProgress: RequestsInProgress;
  /** Undefined before the request has its turn, and once it is answered or never will be. */
  #admission: "counted" | "receiving" | "exempt" | "refused" | undefined = undefined;
  #principal: Principal | undefined = undefined;

  constructor(request: Request, response: Response, inProgress: RequestsInProgress) {
    this.request = request;
    this.response = response;
    this.#inProgress = inProgress;
    request[exchangeKey] = this;
  }

  /** Who makes the request. Undefined until the API key is known to be valid. */
  get knownPrincipal(): Principal | undefined {
    return this.#principal;
  }

  /** Who makes the request. Every route of the interface requires authentication, so there is always one. */
  get principal(): Principal {
    if (this.#principal === undefined) throw new Error("This request was routed without authentication.");
    return this.#principal;
  }

  set principal(principal: Principal) {
    this.#principal = principal;
  }

  /** Whether the request says that it has a body. */
  get hasBody(): boolean {
    const { headers } = this.request;
    const length = headers["content-length"];
    return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
  }

  /** Whether the request is past the limit of requests in progress. */
  get isRefused(): boolean {
    return this.#admission === "refused";
  }

  /** Whether the request must not wait for those that are counted. */
  get isAnsweredAtOnce(): boolean {
    return this.#admission === "refused" || this.#admission === "exempt";
  }

  /** Counts the request as in progress, or marks it as one to refuse. */
  enter(): void {
    if (isForMonitoring(this.request)) this.#admission = "exempt";
    else if (this.#inProgress.count >= this.#inProgress.max) this.#admission = "refused";
    else {
      this.#admission = "counted";
      this.#inProgress.count += 1;
    }
  }

  /** Notes that the request is answered, or never will be. More calls change nothing. */
  leave(): void {
    if (this.#admission === "counted") this.#inProgress.count -= 1;
    this.#admission = undefined;
  }

  /**
   * Waits for what the client sends, without counting the request meanwhile: otherwise the slow requests of two API keys would
   * use up the limit of all. Afterwards, the request can be past the limit.
   */
  async whileClientSends<Result>(wait: () => Promise<Result>): Promise<Result> {
    if (this.#admission === "counted") {
      this.#inProgress.count -= 1;
      this.#admission = "receiving";
    }
    try {
      return await wait();
    } finally {
      // It may have left meanwhile.
      if (this.#admission === "receiving") this.enter();
    }
  }
}

/** Returns the exchange of a request that this server has received. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = request[exchangeKey];
  if (exchange === undefined) throw new Error("This request did not come from a connection of the server.");
  return exchange;
}

const exemptPaths: readonly string[] = Object.values(healthPaths);

function isForMonitoring({ url = "" }: IncomingMessage): boolean {
  const queryAt = url.indexOf("?");
  return exemptPaths.includes(queryAt === -1 ? url : url.slice(0, queryAt));
}
