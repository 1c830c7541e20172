import { isWebsite } from "@siteward/contract/plain";
import type { Website } from "@siteward/contract/types";
import { InvalidArgumentError } from "../errors/siteward-error.ts";
import type { Siteward } from "../siteward.ts";
import type { Place } from "./follow.ts";
import { MirrorError } from "./mirror-error.ts";
import { type MirroredWebsite, WebsiteState } from "./state.ts";

/** How often changes are written: 22 MB for 100,000 websites. */
const minWriteMs = 60_000;
/** How often a file without changes is written, so that it says how fresh its websites are. */
const refreshMs = 3_600_000;
/** Writing takes seconds. A partial file that nobody wrote to for so long was left by a process that was killed. */
const abandonedMs = 60_000;
const maxFileBytes = 256 * 1024 * 1024;

/** A file has lines of JSON: a head, websites, 100 on a line, and their number at the end, which shows it is whole. */
const fileFormat = "siteward-mirror";
const fileVersion = 2;
const websitesOnLine = 100;

/** The file in which a mirror keeps its last state. */
export class MirrorFile {
  readonly #path: string;
  readonly #owner: { readonly base_url: string; readonly api_key: string };
  readonly #files: Files;
  readonly #onWritten: (error?: unknown) => void;
  /** The place that was read or written last. */
  #written: Omit<Place, "state"> = { cursor: "", syncMs: 0 };
  #triedMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;

  /**
   * @param onWritten called with a `MirrorError` if the file cannot be written, and without one once it was written
   * @throws InvalidArgumentError if the runtime has no files, or nothing tells whose websites the client reads
   */
  constructor(path: string, { baseUrl, keyPrefix }: Siteward, onWritten: (error?: unknown) => void) {
    this.#path = path;
    this.#owner = { base_url: baseUrl, api_key: keyPrefix };
    this.#files = loadFiles();
    this.#onWritten = onWritten;
  }

  /**
   * Returns the place in the file, or undefined if the file does not exist.
   *
   * @throws MirrorError if it cannot be used
   */
  async read(): Promise<Place | undefined> {
    try {
      const found = await this.#find();
      if (found === undefined) return undefined;
      if (found.size > maxFileBytes) throw new Error("It has more than 256 MiB.");
      const file = await this.#files.open(this.#path);
      try {
        const place = await this.#parse(file.readLines());
        this.#written = { cursor: place.cursor, syncMs: place.syncMs };
        return place;
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw new MirrorError("file_not_used", `The file ${this.#path} is not used: ${String(cause)}`, { cause });
    }
  }

  /** @throws Error if it is a folder, a device, which a rename would replace for every program, or a pipe */
  async #find(): Promise<{ readonly size: number } | undefined> {
    const found = await this.#files.stat(this.#path).catch((error) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found?.isFile() === false) throw new Error("It is not a regular file.");
    return found;
  }

  async #parse(lines: AsyncIterable<string>): Promise<Place> {
    const state = new WebsiteState();
    let place: Place | undefined;
    let last = "";
    for await (const line of lines) {
      if (place === undefined) place = { state, ...this.#readHead(JSON.parse(line)) };
      else if (line.startsWith("[")) putWebsites(state, JSON.parse(line));
      last = line;
    }
    if (place === undefined || `${last}\n` !== tailOf(state.byId.size)) throw notWhole();
    return place;
  }

  #readHead(head: unknown): { readonly cursor: string; readonly syncMs: number } {
    const { format, version, base_url, api_key, cursor, last_sync_at } = Object(head);
    const syncMs = Date.parse(String(last_sync_at));
    if (format !== fileFormat || version !== fileVersion) throw new Error("It was written by another version.");
    if (base_url !== this.#owner.base_url) throw new Error(`Its websites were read from ${base_url}.`);
    if (api_key !== this.#owner.api_key) throw new Error("Its websites were read with another API key.");
    if (typeof cursor !== "string" || Number.isNaN(syncMs)) throw notWhole();
    return { cursor, syncMs };
  }

  /** Begins to write the place, if it is time to, and no write is in progress. */
  keep(place: Place): void {
    const { cursor, syncMs } = this.#written;
    const isNew = place.cursor !== cursor || Math.abs(place.syncMs - syncMs) >= refreshMs;
    // A clock that was set back would otherwise stop all writes for as long.
    const isEarly = Math.abs(Date.now() - this.#triedMs) < minWriteMs;
    if (this.#writing !== undefined || isEarly || !isNew) return;
    this.#triedMs = Date.now();
    this.#writing = this.#write(place).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes the place that the mirror ends with, so that the next start does not go back, and then nothing more. */
  async finish(place: Place | undefined): Promise<void> {
    await this.#writing;
    if (place !== undefined && place.cursor !== this.#written.cursor) await this.#write(place, true);
  }

  /**
   * Replaces the file, so that a crash leaves the old one or the new one. The partial file has one name: of several
   * processes, one writes at a time, and those that were killed leave at most one.
   */
  async #write({ state, cursor, syncMs }: Place, isLast = false): Promise<void> {
    const partial = `${this.#path}.partial`;
    try {
      await this.#find();
      const left = await this.#files.stat(partial).catch(() => undefined);
      if (left !== undefined && Math.abs(Date.now() - left.mtimeMs) > abandonedMs) await this.#files.rm(partial);
      const last_sync_at = new Date(syncMs).toISOString();
      const head = { format: fileFormat, version: fileVersion, ...this.#owner, cursor, last_sync_at };
      // Changes that were applied meanwhile are in it. The cursor is in front of them, so whoever starts there is told.
      const lines = toLines(head, [...state.byId.values()]);
      await this.#files.writeFile(partial, lines, { mode: 0o600, flag: "wx", flush: true });
      await this.#files.rename(partial, this.#path);
      this.#written = { cursor, syncMs };
      this.#onWritten();
    } catch (cause) {
      // Another program writes it, or was killed while it did. It is tried again after a minute.
      const isBusy = Object(cause).code === "EEXIST";
      if (!isBusy) await this.#files.rm(partial, { force: true }).catch(() => {});
      if (isBusy && !isLast) return;
      const message = `The file ${this.#path} cannot be written: ${String(cause)}`;
      this.#onWritten(new MirrorError("file_not_written", message, { cause }));
    }
  }
}

function* toLines(head: object, websites: readonly MirroredWebsite[]): Generator<string, void, undefined> {
  yield `${JSON.stringify(head)}\n`;
  for (let first = 0; first < websites.length; first += websitesOnLine) {
    yield `${JSON.stringify(websites.slice(first, first + websitesOnLine))}\n`;
  }
  yield tailOf(websites.length);
}

function tailOf(websites: number): string {
  return `${JSON.stringify({ websites })}\n`;
}

function putWebsites(state: WebsiteState, websites: readonly Website[]): void {
  if (!websites.every(isWebsite)) throw notWhole();
  for (const website of websites) state.put(website);
}

const notWhole = (): Error => new Error("It is not whole.");

/** Named as a type only, so that a bundler for browsers finds no module to load. */
type Files = typeof import("node:fs/promises");

function loadFiles(): Files {
  const { process }: { readonly process?: { getBuiltinModule?(name: string): Files | undefined } } = globalThis;
  const files = process?.getBuiltinModule?.("node:fs/promises");
  if (files !== undefined) return files;
  throw new InvalidArgumentError("file must be omitted on this runtime. It needs Node, Bun or Deno.");
}
