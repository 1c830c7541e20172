import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Route } from "@siteward/contract";
import {
  describeRequest,
  type IdempotentRequest,
  idempotencyInProgress,
  idempotencyKeyReused,
  readIdempotencyKey,
} from "@siteward/service";
import type { Request, Response } from "express";
import { readSentApiKey } from "../auth/sent-api-key.ts";
import { principalOf } from "./exchange-parts.ts";

const idempotentRequest = Symbol("idempotent request");

declare module "node:http" {
  interface IncomingMessage {
    [idempotentRequest]?: IdempotentRequest;
  }
}

/** Returns the idempotency key of a request with what it stands for, or undefined if the client sent none. */
export function idempotencyOf(request: IncomingMessage): IdempotentRequest | undefined {
  return request[idempotentRequest];
}

/**
 * The requests with an idempotency key that this process is answering. A second one with the same key is refused at once, so
 * that it does not wait, and hashes no password again. In another process it waits for the transaction of the first.
 */
export class IdempotentRequests {
  /** The fingerprints by account and key. There are at most as many as requests in progress. */
  readonly #running = new Map<string, string>();

  /**
   * Notes a request that has a key, until it is answered.
   *
   * @throws AppError `idempotency_in_progress` or `idempotency_key_reused`
   */
  begin(request: Request, response: Response, route: Route): void {
    const key = readIdempotencyKey(request.headers["idempotency-key"]);
    if (key === undefined) return;
    const fingerprint = fingerprintOf(request, route);
    const name = `${principalOf(request).accountId} ${key}`;
    const running = this.#running.get(name);
    if (running !== undefined) throw running === fingerprint ? idempotencyInProgress() : idempotencyKeyReused();
    request[idempotentRequest] = { key, fingerprint };
    // The client disconnected while its key or body was checked. The event does not come again, so nothing would end the note.
    if (response.closed) return;
    this.#running.set(name, fingerprint);
    response.on("close", () => this.#running.delete(name));
  }
}

/**
 * Identifies what a request says. With a secret field, the API key is part of it.
 * Otherwise somebody with a stolen database could try passwords at the speed of SHA-256.
 */
function fingerprintOf(request: Request, route: Route): string {
  const { method, originalUrl: url, body } = request;
  const said = describeRequest({ method, url, body }, route);
  const hash = said.isSecret ? createHmac("sha256", readSentApiKey(request).text) : createHash("sha256");
  return hash.update(said.text).digest("base64url");
}
