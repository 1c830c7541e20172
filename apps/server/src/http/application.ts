import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";

/** What answers requests. */
export interface Application {
  readonly listener: RequestListener;
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
 */
export function toApplication(app: Express): Application {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { listener: app, messages: { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } };
}
