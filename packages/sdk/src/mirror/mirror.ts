import { canonicalizeDomain } from "@siteward/contract/plain";
import { AbortError } from "../errors/siteward-error.ts";
import { notify } from "../options/hooks.ts";
import type { Siteward } from "../siteward.ts";
import { MirrorFile } from "./file.ts";
import { FollowedWebsites } from "./follow.ts";
import { Schedule } from "./schedule.ts";
import type { MirroredWebsite, WebsiteChange } from "./state.ts";

/**
 * All websites of the account, in memory. They stay as they were known last while the service is away, and after
 * `close`.
 *
 * A mirror does not keep a program running. One that only waits for `onChange` needs something else that does, such as
 * a server.
 */
export interface WebsiteMirror extends Iterable<MirroredWebsite> {
  /** How many websites there are. */
  readonly size: number;
  /**
   * How fresh the websites are: they have every change that the service acknowledged before this time, by the clock of
   * this machine. After a start from a file, it is the time of the file until the first answer. A file without changes
   * is written once an hour, so that its time is at most so much too early.
   */
  readonly lastSyncAt: Date;
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
   * Returns the website whose rules count pages of a host, without a request: that of the host itself, or else with
   * `www.` in front of it or without.
   *
   * @param host in any form that `byDomain` accepts
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * const website = mirror.byHost(new URL("https://www.shop.example/basket").hostname); // also that of shop.example
   */
  byHost(host: string): MirroredWebsite | undefined;
  /**
   * Returns the website with this ID, without a request.
   *
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * console.log(mirror.byId(7)?.domain);
   */
  byId(id: number): MirroredWebsite | undefined;
  /**
   * Asks the service now, also while the mirror waits after an error. Calls at the same time share one request, which
   * begins after them. So when it resolves, the mirror has every change that was acknowledged before the call.
   *
   * @throws ApiError, ConnectionError, TimeoutError: of the request, which `onError` is told too; AbortError if the
   *   mirror has ended
   * @example
   * const mirror = await mirrorWebsites(siteward);
   * await siteward.websites.create({ domain: "example.com" });
   * await mirror.sync();
   */
  sync(): Promise<void>;
  /**
   * Ends the mirror, as its signal does: no request and no timer is left. What the file does not have yet is written to
   * it. The websites stay.
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

/** Options of `mirrorWebsites`. One that is undefined counts as omitted. */
export interface MirrorOptions {
  /**
   * The path of a file in which the mirror keeps its last state. If it exists at the start, its websites are served at
   * once, also while the service is away, and then followed from there. It contains what the API shows of the websites,
   * and is only used with the base URL and the API key with which it was written. Needs Node, Bun or Deno.
   * @default none: each start reads all websites
   */
  readonly file?: string | undefined;
  /** Ends the mirror, as `close` does. Without one, it ends with the program. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each website that was created, updated or deleted, in order, after all changes of the same answer were
   * applied. Not called for the websites of the start. If it throws or rejects, the mirror continues, and `onError` is
   * called.
   */
  readonly onChange?: ((change: WebsiteChange) => unknown) | undefined;
  /**
   * Called if a request fails, or the file cannot be used or written. A request is always tried again, and without a
   * file that can be used, all websites are read. The same reason is not reported twice in a row until a request has
   * succeeded, or the file was written.
   * @default console.error, with a line for each
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
  /**
   * How often the mirror asks for changes, in milliseconds. The actual wait is up to 20 % shorter or longer.
   * @default 15000
   */
  readonly intervalMs?: number | undefined;
  /**
   * After how long without an answer the mirror is stale, in milliseconds.
   * @default 300000
   */
  readonly staleAfterMs?: number | undefined;
}

/**
 * Keeps all websites of the account in memory, by ID and by domain, and follows their changes. Requires the scope
 * `websites:read`.
 *
 * It starts from its `file`, if there is one, and otherwise reads all websites, 100 for each request. Then it asks
 * every 15 s what has changed, which is one small request if nothing has. While the service is away or refuses the API
 * key, it serves what it knows, and asks again after 1 s, 2 s, 4 s … 5 minutes, or later if the service says so.
 *
 * @param siteward the client, with whose options requests are sent
 * @returns the mirror, as soon as it has all websites: at once from a file, and otherwise after the first complete
 *   read. It is tried until it succeeds or the signal aborts, and `onError` is told why it fails.
 * @throws InvalidArgumentError if there can be no file; AbortError if the signal aborts before there is a mirror
 * @example
 * const mirror = await mirrorWebsites(siteward, { file: "websites.mirror" });
 * const website = mirror.byDomain("example.com");
 */
export async function mirrorWebsites(siteward: Siteward, options: MirrorOptions = {}): Promise<WebsiteMirror> {
  const { file: path, signal: outer, intervalMs = 15_000, staleAfterMs = 300_000, onChange } = options;
  // biome-ignore lint/suspicious/noConsole: nobody else can be told
  const report = options.onError ?? ((error) => console.error(`The mirror of the websites: ${String(error)}`));
  // What `onError` throws has nowhere to go.
  const onError = (error: unknown): void => notify(report, error, () => {});
  const end = new AbortController();
  const signal = outer === undefined ? end.signal : AbortSignal.any([outer, end.signal]);
  const file = path === undefined ? undefined : new MirrorFile(path, siteward, onceEach(onError));
  const followed = new FollowedWebsites(siteward, signal, (changes: Iterable<WebsiteChange>) => {
    for (const change of changes) notify(onChange, change, onError);
  });
  followed.place = await file?.read().catch((error: unknown) => void onError(error));
  const isAwaited = () => followed.place === undefined;
  const first = Promise.withResolvers<void>();
  const onEnd = onceEach(onError);
  const schedule = new Schedule({
    intervalMs,
    signal,
    isAwaited,
    async sync() {
      await followed.sync();
      first.resolve();
      onEnd();
      if (followed.place !== undefined) file?.keep(followed.place);
    },
    onFailure: onEnd,
  });
  const ended = schedule.run().then(() => file?.finish(followed.place));
  if (isAwaited()) await Promise.race([first.promise, ended]);
  if (signal.aborted) throw new AbortError(signal.reason);
  return serve(followed, staleAfterMs, {
    sync: () => schedule.syncNow(),
    async close() {
      end.abort();
      await ended;
    },
  });
}

/** Returns a function that reports an error unless it is like the last one. Called without an error, it forgets that. */
function onceEach(onError: (error: unknown) => void): (error?: unknown) => void {
  let last: unknown;
  return (error) => {
    const code = error === undefined ? undefined : (Object(error).code ?? String(error));
    if (code !== undefined && code !== last) onError(error);
    last = code;
  };
}

/**
 * Domains in the form that the service stores, or that no website can have. Looking one of them up takes 0.3 µs, and
 * parsing it another 10 µs, which anybody who sends requests with made-up domains could otherwise make a program spend.
 */
const plainName = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

function serve(
  followed: FollowedWebsites,
  staleAfterMs: number,
  functions: Pick<WebsiteMirror, "sync" | "close">,
): WebsiteMirror {
  // There is a place before there is a mirror.
  const place = () => followed.place as NonNullable<typeof followed.place>;
  const byDomain = (domain: string): MirroredWebsite | undefined => {
    const { state } = place();
    const found = state.byDomain.get(domain);
    if (found !== undefined || typeof domain !== "string" || plainName.test(domain)) return found;
    const canonical = canonicalizeDomain(domain);
    return canonical === undefined ? undefined : state.byDomain.get(canonical);
  };
  return {
    get size() {
      return place().state.byId.size;
    },
    get lastSyncAt() {
      return new Date(place().syncMs);
    },
    get isStale() {
      const ageMs = Date.now() - place().syncMs;
      return ageMs > staleAfterMs || ageMs < 0;
    },
    byDomain,
    byHost(host) {
      const bare = host.replace(/^www\./i, "");
      return byDomain(host) ?? byDomain(bare) ?? byDomain(`www.${bare}`);
    },
    byId: (id) => place().state.byId.get(id),
    [Symbol.iterator]: () => place().state.byId.values(),
    ...functions,
  };
}
