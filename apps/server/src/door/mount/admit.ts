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
import { type Principal, principalOf } from "../../auth/principal.ts";
import { readSentApiKey } from "../../auth/sent-api-key.ts";
import { dropBody, readBody } from "../../http/body.ts";
import { setAdmitted } from "./admitted.ts";

type RoutedRequest = Request & { readonly tsRestRoute: ServedRoute };
type Admit = (request: RoutedRequest, response: Response, next: NextFunction) => Promise<void> | void;

/** Returns a handler that admits a request to its route, or refuses it, before the schemas validate it. */
export function createAdmit(): Admit {
  const running = new RunningRequests();
  return (request, response, next) => {
    const contractRoute = request.tsRestRoute;
    const received = new ExpressRequest(request, response, "contentType" in contractRoute);
    const goOn = (admitted: Admitted): void => {
      request.body = admitted.body;
      setAdmitted(request, admitted);
      next();
    };
    const admitted = admit(received, contractRoute.metadata.route, running);
    return admitted instanceof Promise ? admitted.then(goOn) : goOn(admitted);
  };
}

/** What the service asks of a request of Express. A class, because every request creates one. */
export class ExpressRequest implements ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Request["headers"];
  readonly principal: Principal;
  readonly #request: Request;
  readonly #response: Response;
  readonly #takesFields: boolean;

  constructor(request: Request, response: Response, takesFields: boolean) {
    this.method = request.method;
    this.url = request.originalUrl;
    this.headers = request.headers;
    this.principal = principalOf(request);
    this.#request = request;
    this.#response = response;
    this.#takesFields = takesFields;
  }

  receiveBody(): unknown {
    const receive = this.#takesFields ? readBody : dropBody;
    return receive(this.#request, this.#response);
  }

  /**
   * With a secret field, the API key is part of it. Otherwise somebody with a stolen database could try passwords at the speed of
   * SHA-256.
   */
  toFingerprint({ text, isSecret }: SaidByRequest): string {
    const hash = isSecret ? createHmac("sha256", readSentApiKey(this.#request).text) : createHash("sha256");
    return hash.update(text).digest("base64url");
  }

  onEnd(end: () => void): void {
    // If the client disconnected while its key or body was checked, the event does not come again.
    if (this.#response.closed) end();
    else this.#response.on("close", end);
  }
}
