import { resolveSitewardOptions, type SitewardOptions } from "./options/siteward-options.ts";
import { createSend } from "./request/send.ts";
import { AccountResource } from "./resources/account.ts";
import { Websites } from "./resources/websites.ts";
import { systemTiming } from "./retry/timing.ts";

/**
 * A client of the Siteward service, for one API key. It keeps no connection of its own, so create one and use it in the
 * entire program, for as long as it runs. Inspecting, logging or serializing the client never shows the API key.
 *
 * @throws InvalidArgumentError if an option is not valid; the message names the option and what it accepts
 * @example
 * const siteward = new Siteward({ apiKey, baseUrl: "https://siteward.example.com" });
 * const website = await siteward.websites.create({ domain: "example.com" });
 */
export class Siteward {
  /** The URL that requests are sent to, without a trailing slash. */
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
