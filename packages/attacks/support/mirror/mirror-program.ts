import { Siteward } from "@siteward/sdk";
import { mirrorWebsites } from "@siteward/sdk/mirror";

/** What the program is started with, as JSON in its first argument. */
export interface ProgramOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly file: string;
  readonly intervalMs: number;
}

/** What the program sees. */
export interface Look {
  /** Undefined before there is a mirror. */
  readonly lastSyncMs: number | undefined;
  /** ID, domain and mark of each website. */
  readonly websites: readonly (readonly [id: number, domain: string, mark: string])[];
  /** The codes of all errors that were reported. */
  readonly errors: readonly string[];
  /** What is in memory after a garbage collection. */
  readonly heapBytes: number;
}

/** A program with a mirror and a file, which says what it sees when it is asked. It is killed with kill -9. */
const [, , text = "{}"] = process.argv;
// Only mirroring-process.ts starts it.
const { url, apiKey, file, intervalMs }: ProgramOptions = JSON.parse(text);
const errors = new Set<string>();
const mirroring = mirrorWebsites(new Siteward({ apiKey, baseUrl: url, timeoutMs: 1_000 }), {
  file,
  intervalMs,
  onError: (error) => errors.add(String(Reflect.get(Object(error), "code") ?? error)),
});
let mirror: Awaited<typeof mirroring> | undefined;
void mirroring.then((opened) => {
  mirror = opened;
});

process.on("message", () => {
  globalThis.gc?.();
  const websites = [...(mirror ?? [])].map(
    ({ id, domain, exclude_params: [mark = ""] }) => [id, domain, mark] as const,
  );
  const { heapUsed: heapBytes } = process.memoryUsage();
  const look: Look = { lastSyncMs: mirror?.lastSyncAt?.getTime(), websites, errors: [...errors], heapBytes };
  process.send?.(look);
});
