import { AbortError } from "../errors/abort-error.ts";
import { callSafely } from "./call-safely.ts";
import { FailureReport } from "./failure-report.ts";
import { MirrorFile } from "./file/mirror-file.ts";
import { FollowedState, type SyncedPlace } from "./follow/followed-state.ts";
import type { MirrorClient } from "./follow/mirror-client.ts";
import { SyncLoop } from "./follow/sync-loop.ts";
import type { ResolvedMirrorOptions } from "./mirror-options.ts";
import { ServedWebsites } from "./served-websites.ts";
import type { WebsiteMirror } from "./website-mirror.ts";

// Looked up for each use, so that the fake timers of a test replace it.
const nowMs = (): number => Date.now();

/**
 * Starts a mirror, and waits until it has all websites.
 *
 * @throws AbortError if the signal aborts before
 */
export async function startMirror(client: MirrorClient, options: ResolvedMirrorOptions): Promise<WebsiteMirror> {
  const life = createLife(options.signal);
  // What `onError` throws has nowhere to go.
  const onError = (error: unknown): void => callSafely(options.onError, error, () => {});
  try {
    const file = await openFile({ client, options, onError });
    const synced = await file?.read().catch(onError);
    if (life.signal.aborted) throw new AbortError(life.signal.reason);
    return await follow({ client, options, life, onError, file, synced: synced ?? undefined });
  } catch (error) {
    life.end();
    throw error;
  }
}

/** How long a mirror runs: until its signal aborts, or it is closed. */
interface Life {
  readonly signal: AbortSignal;
  readonly end: (reason?: unknown) => void;
}

/** A signal can live longer than the mirror, so no listener stays with it. */
function createLife(outer: AbortSignal | undefined): Life {
  const controller = new AbortController();
  const onAbort = (): void => end(outer?.reason);
  const end = (reason?: unknown): void => {
    outer?.removeEventListener("abort", onAbort);
    controller.abort(reason);
  };
  if (outer?.aborted) end(outer.reason);
  else outer?.addEventListener("abort", onAbort);
  return { signal: controller.signal, end };
}

interface Parts {
  readonly client: MirrorClient;
  readonly options: ResolvedMirrorOptions;
  readonly onError: (error: unknown) => void;
}

async function openFile({ client, options, onError }: Parts): Promise<MirrorFile | undefined> {
  if (options.file === undefined) return undefined;
  const report = new FailureReport(onError);
  const onWritten = (error?: unknown): void => (error === undefined ? report.recovered() : report.failed(error));
  return await MirrorFile.open({ path: options.file, client, nowMs, onWritten });
}

interface Opened extends Parts {
  readonly life: Life;
  readonly file: MirrorFile | undefined;
  readonly synced: SyncedPlace | undefined;
}

async function follow({ client, options, onError, life, file, synced }: Opened): Promise<WebsiteMirror> {
  const { signal } = life;
  const report = new FailureReport(onError);
  const followed = new FollowedState(synced, (changes) => {
    for (const change of changes) callSafely(options.onChange, change, onError);
  });
  let onUsable = (): void => {};
  const usable = new Promise<void>((resolve, reject) => {
    onUsable = resolve;
    signal.addEventListener("abort", () => reject(new AbortError(signal.reason)), { once: true });
  });
  // After it is usable, nobody waits for it.
  usable.catch(() => {});
  const loop = new SyncLoop({
    async sync() {
      await followed.sync({ client, signal, nowMs });
      report.recovered();
      if (followed.synced !== undefined) file?.keep(followed.synced);
      onUsable();
    },
    onFailure: (error) => report.failed(error),
    isAwaited: () => followed.synced === undefined,
    intervalMs: options.intervalMs,
    signal,
    random: Math.random,
  });
  const running = loop.run();
  let ending: Promise<void> | undefined;
  const finish = async (): Promise<void> => {
    await running;
    await file?.finish(followed.synced);
  };
  const onAbort = (): void => {
    ending = finish();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (synced === undefined) await usable;
  const close = async (): Promise<void> => {
    life.end();
    await ending;
  };
  return new ServedWebsites({ followed, staleAfterMs: options.staleAfterMs, nowMs, sync: () => loop.syncNow(), close });
}
