import type { Call, ChangeAuthor, Conditions, IdempotentRequest } from "@siteward/service";
import type { Request } from "express";
import { type Principal, principalOf } from "../../auth/principal.ts";
import { baseUrlOf } from "../../http/base-url.ts";
import { disconnectSignalOf } from "../../http/disconnect-signal.ts";
import { requestIdOf } from "../../http/request-id.ts";
import { admittedOf } from "./admitted.ts";

/** The parts of a request as the schemas of its route returned them. */
interface ValidParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The call that a request of Express makes. A class, because every request creates one and few need its author or its URL. */
export class ServedCall implements Call<unknown> {
  readonly principal: Principal;
  readonly params: undefined;
  readonly query: undefined;
  readonly body: undefined;
  readonly conditions: Conditions | undefined;
  readonly idempotency: IdempotentRequest | undefined;
  readonly #request: Request;
  readonly #publicUrl: string | undefined;

  constructor(request: Request, valid: ValidParts, publicUrl: string | undefined) {
    const { conditions, idempotency } = admittedOf(request);
    this.principal = principalOf(request);
    // The casts are safe: a call of a route that is not known promises nothing of its parts.
    this.params = valid.params as undefined;
    this.query = valid.query as undefined;
    this.body = valid.body as undefined;
    this.conditions = conditions;
    this.idempotency = idempotency;
    this.#request = request;
    this.#publicUrl = publicUrl;
  }

  get author(): ChangeAuthor {
    return { apiKey: this.principal.prefix, operator: null, requestId: requestIdOf(this.#request) };
  }

  baseUrl(): string {
    return baseUrlOf(this.#request, this.#publicUrl);
  }

  disconnected(): AbortSignal {
    return disconnectSignalOf(this.#request);
  }
}
