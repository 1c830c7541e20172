import type { IncomingMessage } from "node:http";
import type { Conditions, IdempotentRequest, Principal as ServedPrincipal } from "@siteward/service";
import type { Request, Response } from "express";
import { Progress, type RequestsInProgress } from "./progress.ts";

/** Who a request acts for: a valid API key, and through it one account. */
export interface Principal extends ServedPrincipal {
  /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
  readonly rateLimit: number | null;
}

const exchangeKey = Symbol("exchange");

declare module "node:http" {
  interface IncomingMessage {
    [exchangeKey]?: Exchange;
  }
}

/**
 * A request, the response that answers it, and what is known of the two. There is one for each request, from its head until its
 * answer has left the process. Each step adds what it finds out.
 */
export class Exchange {
  readonly request: Request;
  readonly response: Response;
  /** Whether the request counts as in progress. */
  readonly progress: Progress;
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
  /** How many bytes of the response are shared with others, so that they take no memory of their own. */
  sharedBytes = 0;
  #principal: Principal | undefined = undefined;

  constructor(request: Request, response: Response, inProgress: RequestsInProgress) {
    this.request = request;
    this.response = response;
    this.progress = new Progress(request, inProgress);
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
}

/** Returns the exchange of a request that this server has received. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = request[exchangeKey];
  if (exchange === undefined) throw new Error("This request did not come from a connection of the server.");
  return exchange;
}
