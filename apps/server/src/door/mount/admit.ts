import { createHash, createHmac } from "node:crypto";
import {
  type Admitted,
  admit,
  type ReceivedRequest,
  RunningRequests,
  type SaidByRequest,
  type ServedRoute,
} from "@siteward/service";
import type { NextFunction, Request, Response } from "express";
import { readSentApiKey } from "../../auth/sent-api-key.ts";
import { type Exchange, exchangeOf, type Principal } from "../admission/exchange.ts";
import { dropBody, readBody } from "../http/body.ts";

type RoutedRequest = Request & { readonly tsRestRoute: ServedRoute };
type Admit = (request: RoutedRequest, response: Response, next: NextFunction) => Promise<void> | void;

/** Returns a handler that admits a request to its route, or refuses it, before the schemas validate it. */
export function createAdmit(): Admit {
  const running = new RunningRequests();
  return (request, _response, next) => {
    const route = request.tsRestRoute;
    const exchange = exchangeOf(request);
    const goOn = ({ body, conditions, idempotency }: Admitted): void => {
      request.body = body;
      exchange.conditions = conditions;
      exchange.idempotency = idempotency;
      next();
    };
    const admitted = admit(new ReceivedExchange(exchange, "contentType" in route), route.metadata.route, running);
    return admitted instanceof Promise ? admitted.then(goOn) : goOn(admitted);
  };
}

/** What the service asks of a request. A class, because every request creates one. */
export class ReceivedExchange implements ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Request["headers"];
  readonly principal: Principal;
  readonly #exchange: Exchange;
  readonly #takesFields: boolean;

  /** @param takesFields whether the route has fields in its body. Otherwise a body is received and dropped. */
  constructor(exchange: Exchange, takesFields: boolean) {
    const { request } = exchange;
    this.method = request.method;
    this.url = request.originalUrl;
    this.headers = request.headers;
    this.principal = exchange.principal;
    this.#exchange = exchange;
    this.#takesFields = takesFields;
  }

  receiveBody(): unknown {
    const receive = this.#takesFields ? readBody : dropBody;
    return receive(this.#exchange.request, this.#exchange.response);
  }

  /**
   * With a secret field, the API key is part of it. Otherwise somebody with a stolen database could try passwords at the speed of
   * SHA-256.
   */
  toFingerprint({ text, isSecret }: SaidByRequest): string {
    const hash = isSecret ? createHmac("sha256", readSentApiKey(this.#exchange.request).text) : createHash("sha256");
    return hash.update(text).digest("base64url");
  }

  onEnd(end: () => void): void {
    const { response } = this.#exchange;
    // If the client disconnected while its key or body was checked, the event does not come again.
    if (response.closed) end();
    else response.on("close", end);
  }
}
