import { createHash, createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  type Admitted,
  type Call,
  type ChangeAuthor,
  type Conditions,
  clientDisconnected,
  type IdempotentRequest,
  isRequestId,
  type ReceivedRequest,
  type RefusalReason,
  readBearerToken,
  requestIdHeader,
  type ServedRoute,
} from "@siteward/service";
import type { Request, Response } from "express";
import type { StoredApiKey } from "../storage/interface/storage.ts";
import { baseUrlOf } from "./base-url.ts";
import { readBody, receiveBody } from "./body.ts";

const exchangeKey = Symbol("exchange");

declare module "node:http" {
  interface IncomingMessage {
    [exchangeKey]?: Exchange;
  }
}

/**
 * A request, the response that answers it, and what is known of the two. There is one for each request, from its head
 * until its answer has left the process. Each step adds what it finds out: headers to `answerHeaders`, and all else with
 * a method that says what has happened. It is also what the service asks of a request and the call of its operation, so
 * that a request creates no other object for them.
 */
export type Exchange = Readonly<MutableExchange>;

export class MutableExchange implements ReceivedRequest, Call {
  readonly request: Request;
  readonly response: Response;
  readonly method: string;
  readonly url: string;
  readonly headers: Request["headers"];
  /** Whether the request says that it has a body. */
  readonly hasBody: boolean;
  /**
   * Names and values of headers in turn, in the order in which they are sent. They are collected here and written with
   * one `writeHead`: Node's `setHeader` and Express's `json` look at each of them again.
   */
  readonly answerHeaders: string[];
  /** What the response, the log and the audit trail name: the ID that the client sent, or a new one. */
  readonly id: string;
  conditions: Conditions | undefined = undefined;
  idempotency: IdempotentRequest | undefined = undefined;
  params: unknown = undefined;
  query: unknown = undefined;
  body: unknown = undefined;
  sharedBytes = 0;
  /** Who makes the request: an API key, and through it one account. Undefined until the key is known to be valid. */
  knownPrincipal: StoredApiKey | undefined = undefined;
  refusal: RefusalReason | undefined = undefined;
  waitedMs = 0;
  #place: { leave(accountId: number): void } | undefined = undefined;
  #isAnswered = false;
  #isWorking = false;
  readonly #publicUrl: string | undefined;

  /** @param publicUrl at which clients reach the service. If undefined, the request says it. */
  constructor(request: Request, response: Response, publicUrl?: string) {
    this.request = request;
    this.response = response;
    this.method = request.method;
    this.url = request.url;
    this.headers = request.headers;
    const { "content-length": length, "transfer-encoding": coding, "x-request-id": inbound } = this.headers;
    this.hasBody = coding !== undefined || (length !== undefined && length !== "0");
    this.id = isRequestId(inbound) ? inbound : randomUUID();
    this.answerHeaders = [requestIdHeader, this.id];
    this.#publicUrl = publicUrl;
    request[exchangeKey] = this;
  }

  /** Who makes the request. Every route of the interface requires authentication, so there is always one. */
  get principal(): StoredApiKey {
    if (this.knownPrincipal === undefined) throw new Error("This request was routed without authentication.");
    return this.knownPrincipal;
  }

  get author(): ChangeAuthor {
    return { apiKey: this.principal.prefix, operator: null, requestId: this.id };
  }

  baseUrl(): string {
    return baseUrlOf(this.request, this.#publicUrl);
  }

  /** A client that closes only its sending side and still reads counts too, and reads an answer that says so. */
  isDisconnected(): boolean {
    const { socket } = this.request;
    return socket.destroyed || socket.readableEnded;
  }

  /**
   * A request without a body sends no fields. The body of a route that takes no fields is received and dropped: if it
   * turns out to be broken, the request changes nothing, and its answer is a 400.
   */
  receiveBody(): unknown {
    // The cast is safe: the service asks for this once ts-rest has routed the request.
    const { tsRestRoute } = this.request as Request & { readonly tsRestRoute: ServedRoute };
    const takesFields = "contentType" in tsRestRoute;
    if (!this.hasBody) return takesFields ? {} : undefined;
    if (takesFields) return readBody(this.request, this.response);
    return receiveBody(this.request, this.response).then(() => undefined);
  }

  /**
   * With a secret field, the API key is part of it. Otherwise somebody with a stolen database could try passwords at
   * the speed of SHA-256.
   */
  toFingerprint(said: string, isSecret: boolean): string {
    const hash = isSecret ? createHmac("sha256", readBearerToken(this.headers.authorization)) : createHash("sha256");
    return hash.update(said).digest("base64url");
  }

  onEnd(end: () => void): void {
    // If the client disconnected while its key or body was checked, the event does not come again.
    if (this.response.closed) end();
    else this.response.on("close", end);
  }

  /** Holds a place until the answer is complete or never will be, and the work has ended. */
  hold(place: { leave(accountId: number): void }, waitedMs = 0): void {
    this.#place = place;
    this.waitedMs = waitedMs;
    this.#leave();
  }

  /** Notes whose valid API key the request has. */
  authenticate(principal: StoredApiKey): void {
    this.knownPrincipal = principal;
  }

  /** Notes what the route admits. ts-rest validates the fields of the body, which it takes from the request. */
  admit({ body, conditions, idempotency }: Admitted): void {
    this.request.body = body;
    this.conditions = conditions;
    this.idempotency = idempotency;
  }

  /**
   * Notes that the work begins, on parts as the schemas of the route returned them. If the client disconnects, the work
   * still counts: clients that leave could else put any number in line.
   */
  beginWork({ params, query, body }: Pick<Call, "params" | "query" | "body">): void {
    if (this.#isAnswered) throw clientDisconnected;
    this.#isWorking = true;
    this.request.body = undefined;
    this.params = params;
    this.query = query;
    this.body = body;
  }

  endWork(): void {
    this.#isWorking = false;
    // A connection keeps its last request until the next one comes.
    this.body = undefined;
    this.#leave();
  }

  /** Notes why the answer is an error. */
  refuse(reason: RefusalReason): void {
    this.refusal = reason;
  }

  /** Notes how many bytes of the answer others share, so that they take no memory of their own. */
  shareBytes(count: number): void {
    this.sharedBytes = count;
  }

  /** Notes that the answer is complete, or that the client is gone. More calls change nothing. */
  endAnswer(): void {
    this.#isAnswered = true;
    this.#leave();
  }

  #leave(): void {
    if (!this.#isAnswered || this.#isWorking) return;
    this.#place?.leave(this.principal.accountId);
    this.#place = undefined;
  }
}

/** Returns the exchange of a request that this server has received. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = request[exchangeKey];
  if (exchange === undefined) throw new Error("This request did not come from a connection of the server.");
  return exchange;
}
