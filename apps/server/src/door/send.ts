import { IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { methodNotAllowed as refuseMethod, toAllow } from "@siteward/service";
import type { Express, RequestHandler, Response } from "express";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Step } from "./run-steps.ts";

/** What a response says. Without content, it is only a head. */
export interface Answer {
  readonly status: number;
  /** Its media type and its body. Bytes are those of a page, which all responses share. */
  readonly content?: { readonly type: string; readonly body: string | Uint8Array };
}

/** Sends a response. Every request that reaches the application is answered here, or in `errors.ts`. */
export function send(response: Response, answer: Answer): void {
  response.end(writeHead(response, answer), bodyEncoding);
}

/** The encoding of a body that is a string. */
export const bodyEncoding = "latin1";

/**
 * Writes the head of a response.
 *
 * @returns the body that must be sent after it, or undefined if there is none
 */
export function writeHead(response: Response, { status, content }: Answer): string | Uint8Array | undefined {
  const exchange = exchangeOf(response.req);
  const { answerHeaders: headers } = exchange;
  // A read of the API is judged by its entity tag before it gets here (`checkConditions` of the service). Other pages
  // have none, and only this condition is about them: "unless there is any" (RFC 9110, section 13.1.2).
  const isUnwanted = status === 200 && response.req.headers["if-none-match"] === "*";
  if (content === undefined || isUnwanted) {
    response.writeHead(isUnwanted ? 304 : status, headers);
    return undefined;
  }
  const { type, body } = content;
  const lengthBytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (typeof body !== "string") exchange.shareBytes(lengthBytes);
  headers.push("Content-Type", type, "Content-Length", String(lengthBytes));
  response.writeHead(status, headers);
  // A string of ASCII, as almost every body is, has the same bytes in Latin-1. Node writes it together with the head,
  // and up to 16 KiB of them without an allocation. To write a string in UTF-8, it reserves three times its length.
  return lengthBytes === body.length ? body : Buffer.from(body);
}

/** Answers every method that a path does not support, and lists those it supports. OPTIONS gets only the list. */
export function methodNotAllowed(methods: readonly string[]): RequestHandler {
  const allow = toAllow(methods);
  return (request, response) => {
    if (request.method !== "OPTIONS") throw refuseMethod(request.method, allow);
    exchangeOf(request).answerHeaders.push("Allow", allow);
    send(response, { status: 204 });
  };
}

/** A page that may do more has its own value of this header. */
export const policyName = "content-security-policy";

/**
 * Names and values in turn. Responses are data or plain pages. Nothing in them may run, be framed, be taken for another
 * type, or be read by another site (OWASP ASVS 5.0, 3.4). Headers for browsers that are no longer maintained are left
 * out.
 */
const securityHeaders = [
  ...[policyName, "default-src 'none';style-src 'unsafe-inline';base-uri 'none';frame-ancestors 'none'"],
  ...["cross-origin-opener-policy", "same-origin"],
  ...["cross-origin-resource-policy", "same-origin"],
  ...["referrer-policy", "no-referrer"],
  // The other hosts of the domain can belong to somebody else, so they are not included.
  ...["strict-transport-security", "max-age=31536000"],
  ...["x-content-type-options", "nosniff"],
];

export const addSecurityHeaders: Step = ({ answerHeaders }) => void answerHeaders.push(...securityHeaders);

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** What answers requests. */
export interface Application {
  answer(exchange: Exchange): void;
  /** The classes of the requests and responses that the server must create for it. */
  readonly messages: {
    readonly IncomingMessage: typeof IncomingMessage;
    readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
  };
}

/**
 * Returns the classes of the messages of an Express application. Express changes the prototype of each request and
 * response to its own. That takes 2 µs, and the engine then finds every property of them more slowly. Messages of these
 * classes have Express's prototypes from the start, so it changes nothing.
 *
 * What ts-rest calls to answer, `json` and `end`, sends the headers that were collected (see `Exchange`).
 */
export function toMessages(app: Express): Application["messages"] {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    json(value: unknown): void {
      const content = { type: "application/json; charset=utf-8", body: JSON.stringify(value) };
      // The cast is safe: the prototype of this class is that of Express's responses, as set below.
      send(this as unknown as Response, { status: this.statusCode, content });
    }

    /** Node's `end` calls this without headers. */
    override writeHead(status: number, reasonOrHeaders?: string | Headers, headers?: Headers): this {
      if (typeof reasonOrHeaders === "string") return super.writeHead(status, reasonOrHeaders, headers);
      return super.writeHead(status, reasonOrHeaders ?? exchangeOf(this.req).answerHeaders);
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
