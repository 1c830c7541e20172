import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  type RequestListener,
  ServerResponse,
} from "node:http";
import type { Express, Response } from "express";
import { exchangeOf } from "../admission/exchange.ts";
import { sendJson } from "./send.ts";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** What answers requests. */
export interface Application {
  readonly listener: RequestListener;
  /** Returns the ID of the API key that a request sends, if the key is known as valid. Reads nothing but the request. */
  readonly keyOf: (request: IncomingMessage) => number | undefined;
  /** The classes of the requests and responses that the server must create for it. */
  readonly messages: {
    readonly IncomingMessage: typeof IncomingMessage;
    readonly ServerResponse: typeof ServerResponse<IncomingMessage>;
  };
}

/**
 * Returns an Express application as one that a server can serve. Express changes the prototype of each request and
 * response to its own. That takes 2 µs, and the engine then finds every property of them more slowly. Messages of these
 * classes have Express's prototypes from the start, so it changes nothing.
 *
 * What ts-rest calls to answer, `json` and `end`, sends the headers that were collected (see `Exchange`).
 */
export function toApplication(app: Express, keyOf: Application["keyOf"]): Application {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    json(body: unknown): void {
      // The cast is safe: the prototype of this class is that of Express's responses, as set below.
      sendJson(this as unknown as Response, this.statusCode, body);
    }

    /** Node's `end` calls this without headers. */
    override writeHead(status: number, reasonOrHeaders?: string | Headers, headers?: Headers): this {
      if (typeof reasonOrHeaders === "string") return super.writeHead(status, reasonOrHeaders, headers);
      return super.writeHead(status, reasonOrHeaders ?? exchangeOf(this.req).headers);
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { listener: app, keyOf, messages: { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } };
}
