import { resolveSitewardOptions, type SitewardOptions } from "./options/siteward-options.ts";
import { createSend } from "./request/send.ts";
import { AccountResource } from "./resources/account.ts";
import { Websites } from "./resources/websites.ts";
import { systemTiming } from "./retry/timing.ts";

/**
 * A client of the Siteward service for one API key. It holds no connection of its own, so one may live as long as the
 * program and be shared by all of it. Inspecting, logging or serializing it never shows the API key.
 *
 * @throws InvalidArgumentError where an option is unusable; the message names it and says what it takes
 * @example
 * const siteward = new Siteward({ apiKey, baseUrl: "https://siteward.example.com" });
 * const website = await siteward.websites.create({ domain: "example.com" });
 */
export class Siteward {
  /** The address that requests go to, without a slash at its end. */
  readonly baseUrl: string;
  /** The websites of the account. */
  readonly websites: Websites;
  /** The account that the API key belongs to. */
  readonly account: AccountResource;

  constructor(options: SitewardOptions) {
    const client = resolveSitewardOptions(options);
    const send = createSend(client, systemTiming);
    this.baseUrl = client.baseUrl;
    this.websites = new Websites(send);
    this.account = new AccountResource(send);
  }
}
