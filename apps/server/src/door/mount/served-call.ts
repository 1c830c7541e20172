import type { Call, ChangeAuthor, Conditions, IdempotentRequest } from "@siteward/service";
import type { Exchange, Principal } from "../admission/exchange.ts";
import { baseUrlOf } from "../http/base-url.ts";
import { disconnectSignalOf } from "../http/disconnect-signal.ts";

/** The parts of a request as the schemas of its route returned them. */
interface ValidParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** The call that a request makes. A class, because every request creates one and few need its author or its URL. */
export class ServedCall implements Call<unknown> {
  readonly principal: Principal;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly conditions: Conditions | undefined;
  readonly idempotency: IdempotentRequest | undefined;
  readonly #exchange: Exchange;
  readonly #publicUrl: string | undefined;

  constructor(exchange: Exchange, valid: ValidParts, publicUrl: string | undefined) {
    this.principal = exchange.principal;
    this.params = valid.params;
    this.query = valid.query;
    this.body = valid.body;
    this.conditions = exchange.conditions;
    this.idempotency = exchange.idempotency;
    this.#exchange = exchange;
    this.#publicUrl = publicUrl;
  }

  get author(): ChangeAuthor {
    return { apiKey: this.principal.prefix, operator: null, requestId: this.#exchange.id };
  }

  baseUrl(): string {
    return baseUrlOf(this.#exchange.request, this.#publicUrl);
  }

  disconnected(): AbortSignal {
    return disconnectSignalOf(this.#exchange.request);
  }
}
