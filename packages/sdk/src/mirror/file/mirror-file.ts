import type { SyncedPlace } from "../follow/followed-state.ts";
import type { MirrorClient } from "../follow/mirror-client.ts";
import { type FileSystem, loadFileSystem } from "./file-system.ts";
import { identifyClient, type Owner } from "./identify-client.ts";
import { readFile } from "./read-file.ts";
import { writeFile } from "./write-file.ts";

/** How often changes are written. 100,000 websites take 35 MB, and a start from an older file only reads more changes. */
const minWriteMs = 60_000;
/** How often a file without changes is written, so that it says how fresh its websites are. */
const refreshMs = 3_600_000;

/** What a file needs. */
export interface MirrorFileOptions {
  readonly path: string;
  readonly client: MirrorClient;
  readonly nowMs: () => number;
  /** Called with a `MirrorError` if the file cannot be used or written. Called without an error once it was written. */
  readonly onWritten: (error?: unknown) => void;
}

/** The file in which a mirror keeps its last state. */
export class MirrorFile {
  readonly #options: MirrorFileOptions;
  readonly #system: FileSystem;
  readonly #owner: Owner;
  /** The place that was written last. */
  #written: { readonly cursor: string; readonly syncMs: number } | undefined;
  #triedMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;

  private constructor(options: MirrorFileOptions, system: FileSystem, owner: Owner) {
    this.#options = options;
    this.#system = system;
    this.#owner = owner;
  }

  static async open(options: MirrorFileOptions): Promise<MirrorFile> {
    const system = loadFileSystem();
    const digest = (text: string) => system.createHash("sha256").update(text).digest("hex");
    return new MirrorFile(options, system, await identifyClient(options.client, digest));
  }

  /**
   * Returns the state in the file, or undefined if the file does not exist.
   *
   * @throws MirrorError if it cannot be used
   */
  async read(): Promise<SyncedPlace | undefined> {
    const place = await readFile(this.#options.path, this.#owner, this.#system);
    if (place !== undefined) this.#written = { cursor: place.cursor, syncMs: place.syncMs };
    return place;
  }

  /** Begins to write the state, if it is time to, and no write is in progress. */
  keep(place: SyncedPlace): void {
    const { nowMs } = this.#options;
    if (this.#writing !== undefined || !this.#isDue(place, nowMs())) return;
    this.#triedMs = nowMs();
    const { onWritten } = this.#options;
    const onFailure = (error: unknown): void => (isBusy(error) ? undefined : onWritten(error));
    this.#writing = this.#write(place, onFailure).finally(() => {
      this.#writing = undefined;
    });
  }

  /**
   * Writes the state that the mirror ends with, so that the next start does not go back by up to a minute. Resolves when nothing is
   * written any more.
   */
  async finish(place: SyncedPlace | undefined): Promise<void> {
    await this.#writing;
    if (place === undefined || place.cursor === this.#written?.cursor) return;
    await this.#write(place, this.#options.onWritten);
  }

  #isDue({ cursor, syncMs }: SyncedPlace, nowMs: number): boolean {
    // A clock that was set back would otherwise stop all writes for as long.
    const isEarly = Math.abs(nowMs - this.#triedMs) < minWriteMs;
    if (isEarly || this.#written === undefined) return !isEarly;
    return cursor !== this.#written.cursor || Math.abs(syncMs - this.#written.syncMs) >= refreshMs;
  }

  async #write(place: SyncedPlace, onFailure: (error: unknown) => void): Promise<void> {
    const { path, nowMs, onWritten } = this.#options;
    // The cursor moves while it is written.
    const { cursor, syncMs } = place;
    try {
      await writeFile({ path, owner: this.#owner, place, nowMs }, this.#system);
      this.#written = { cursor, syncMs };
      onWritten();
    } catch (error) {
      onFailure(error);
    }
  }
}

/** Whether another program writes the file, or was killed while it did. It is written again after a minute, so nobody need know. */
function isBusy(error: unknown): boolean {
  return Object(Object(error).cause).code === "EEXIST";
}
