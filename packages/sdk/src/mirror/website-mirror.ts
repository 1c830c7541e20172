import type { MirroredWebsite } from "./state/mirrored-website.ts";

/**
 * All websites of the account, in memory. They stay as they were known last while the service is away, and after `close`.
 *
 * A mirror does not keep a program running. One that only waits for `onChange` needs something else that does, such as a server.
 */
export interface WebsiteMirror extends Iterable<MirroredWebsite> {
  /** How many websites there are. */
  readonly size: number;
  /**
   * How fresh the websites are: they have every change that the service acknowledged before this time, by the clock of this
   * machine. After a start from a file, it is the time of the file until the first answer. A file without changes is written once
   * an hour, so that its time is at most so much too early.
   */
  readonly lastSyncAt: Date | undefined;
  /** Whether `lastSyncAt` is longer ago than `staleAfterMs`, or not known because the clock was set back. */
  readonly isStale: boolean;
  /**
   * Returns the website with this domain, without a request.
   *
   * @param domain in any form that `create` accepts, such as `Bücher.example` or `xn--bcher-kva.example`
   * @returns the website, or undefined if the account has none with this domain, or no website can have it
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * const website = mirror.byDomain("example.com");
   */
  byDomain(domain: string): MirroredWebsite | undefined;
  /**
   * Returns the website with this ID, without a request.
   *
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * console.log(mirror.byId(7)?.domain);
   */
  byId(id: number): MirroredWebsite | undefined;
  /**
   * Asks the service now, also while the mirror waits after an error. Calls at the same time share one request, which begins
   * after them. So when it resolves, the mirror has every change that was acknowledged before the call.
   *
   * @throws ApiError, ConnectionError, TimeoutError: of the request, which `onError` is told too; AbortError if the mirror has ended
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * await siteward.websites.create({ domain: "example.com" });
   * await mirror.sync();
   */
  sync(): Promise<void>;
  /**
   * Ends the mirror, as its signal does: no request and no timer is left. What the file does not have yet is written to it. The
   * websites stay.
   *
   * @returns a promise that resolves when nothing is written any more
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * await mirror.close();
   */
  close(): Promise<void>;
  /**
   * Iterates over the websites, in no promised order.
   *
   * @example
   * for (const { domain } of await mirrorWebsites(siteward)) console.log(domain);
   */
  [Symbol.iterator](): Iterator<MirroredWebsite>;
}
