import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { toMegabytes } from "../watch-memory.ts";
import type { MirrorFault, MirrorWorld } from "./faults.ts";

const lookPauseMs = 50;
/** A mirror that waits after failures comes back after at most twice the time that they took. */
const recoveryMs = 60_000;
/** What a file or a fault can keep from a mirror. */
const memorableMs = 10 * 60_000;
/** What may be more in memory at the end than after the first faults. */
const maxGrowthBytes = 8_000_000;

/** Looks at both mirrors again and again, and expects that what they serve was true. */
export class Watch {
  readonly #world: MirrorWorld;
  /** The codes of all errors that mirrors reported. */
  readonly errors = new Set<string>();
  looks = 0;
  readonly #heapBytes: number[] = [];

  constructor(world: MirrorWorld) {
    this.#world = world;
  }

  /** Lets something fail, looks meanwhile, and waits until both mirrors know what was written afterwards. */
  async during(name: string, fail: MirrorFault): Promise<void> {
    let isDone = false;
    const looking = async () => {
      for (; !isDone; await sleep(lookPauseMs)) await this.#look(name);
    };
    const failing = fail(this.#world).finally(() => {
      isDone = true;
    });
    await Promise.all([failing, looking()]);
    await this.untilSynced(name);
    this.#world.truth.forgetBefore(Date.now() - memorableMs);
    this.#heapBytes.push((await this.#world.steady.look())?.heapBytes ?? 0);
    const [, first = Number.POSITIVE_INFINITY] = this.#heapBytes;
    expect((this.#heapBytes.at(-1) ?? 0) - first, `Growth: ${this.heap}`).toBeLessThan(maxGrowthBytes);
  }

  async untilSynced(name = "start"): Promise<void> {
    const startMs = Date.now();
    while (!(await this.#look(name)).every((lastSyncMs = 0) => lastSyncMs > startMs)) {
      expect(Date.now() - startMs, `After ${name}, a mirror is not up to date`).toBeLessThan(recoveryMs);
      await sleep(lookPauseMs);
    }
  }

  get heap(): string {
    const [, first = 0] = this.#heapBytes;
    return `${toMegabytes(first)} to ${toMegabytes(this.#heapBytes.at(-1) ?? 0)} MB`;
  }

  /** Returns when each mirror was up to date. */
  async #look(name: string): Promise<(number | undefined)[]> {
    const { steady, restarted, truth } = this.#world;
    const times: (number | undefined)[] = [];
    for (const program of [steady, restarted]) {
      const look = await program.look();
      times.push(look?.lastSyncMs);
      if (look === undefined) {
        expect(program, `During ${name}, the program does not answer`).not.toBe(steady);
        continue;
      }
      this.looks += 1;
      for (const code of look.errors) this.errors.add(code);
      expect(truth.judge(look, Date.now()), `During ${name}`).toEqual([]);
      const mustServe = program === steady && this.#heapBytes.length > 0;
      expect(mustServe && look.websites.length === 0, `During ${name}, it serves nothing`).toBe(false);
    }
    return times;
  }
}
