import { routes } from "@siteward/contract/plain";
import type { Account } from "@siteward/contract/types";
import { ApiPromise } from "../answer/api-promise.ts";
import { readRecord } from "../answer/read-answer.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { Send } from "../request/send.ts";

/**
 * The account that the API key belongs to. It is read-only.
 *
 * @example
 * const { api_key } = await siteward.account.get();
 * console.log(api_key.scopes.join(", "));
 */
export class AccountResource {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Returns the account. Requires the scope `account:read`.
   *
   * @throws ApiError, ConnectionError, TimeoutError, AbortError
   * @example
   * const { websites } = await siteward.account.get();
   * console.log(`${websites.count} of ${websites.limit ?? "any number of"} websites`);
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return ApiPromise.of(this.#send({ route: routes.account.get }, options), readRecord<Account>);
  }
}
