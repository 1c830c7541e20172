import { AbortError } from "../errors/siteward-error.ts";
import { notify } from "../options/hooks.ts";
import type { Siteward } from "../siteward.ts";
import { FollowedWebsites } from "./follow.ts";
import { Schedule } from "./schedule.ts";
import type { MirroredWebsite, WebsiteChange } from "./state.ts";
import { serveWebsites, type WebsiteMirror } from "./website-mirror.ts";

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
   * Called after each page of the first read, with the websites so far, the newest first, and how many there are. The
   * map stays as it is if you abort `signal`, for example because it has as many as you can show.
   */
  readonly onRead?: ((websites: ReadonlyMap<number, MirroredWebsite>, total: number) => unknown) | undefined;
  /**
   * Called if a request fails, which is tried again, or the file cannot be used or written. The same reason is not
   * reported twice in a row until a request has succeeded, or the file was written.
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
  const { file: path, signal: outer, intervalMs = 15_000, staleAfterMs = 300_000, onChange, onRead } = options;
  // biome-ignore lint/suspicious/noConsole: nobody else can be told
  const report = options.onError ?? ((error) => console.error(`The mirror of the websites: ${String(error)}`));
  // What `onError` throws has nowhere to go.
  const onError = (error: unknown): void => notify(report, error, () => {});
  const end = new AbortController();
  const signal = outer === undefined ? end.signal : AbortSignal.any([outer, end.signal]);
  // Browsers have no files, and do not load what reads them.
  const { MirrorFile } = path === undefined ? {} : await import("./file.ts");
  const file = path && MirrorFile ? new MirrorFile(path, siteward, onceEach(onError)) : undefined;
  const followed = new FollowedWebsites(siteward, {
    signal,
    onChanges(changes) {
      for (const change of changes) notify(onChange, change, onError);
    },
    onRead: (websites, total) => notify(() => onRead?.(websites, total), undefined, onError),
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
  return serveWebsites(followed, staleAfterMs, {
    sync: () => schedule.syncNow(),
    async close() {
      end.abort();
      await ended;
    },
  });
}

/** Reports an error unless it is like the last one. Called without an error, it forgets that. */
function onceEach(onError: (error: unknown) => void): (error?: unknown) => void {
  let last: unknown;
  return (error) => {
    const code = error === undefined ? undefined : (Object(error).code ?? String(error));
    if (code !== undefined && code !== last) onError(error);
    last = code;
  };
}
