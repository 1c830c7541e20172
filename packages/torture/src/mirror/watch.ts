import { setTimeout as sleep } from "node:timers/promises";
import { toMegabytes } from "../servers/watch-memory.ts";
import type { MirrorFault } from "./mirror-faults.ts";
import type { Look } from "./mirror-program.ts";
import type { MirrorWorld } from "./mirror-world.ts";

const lookPauseMs = 50;
/** A mirror that waits after failures comes back after at most twice the time that they took. */
const recoveryMs = 60_000;
/** What a file or a fault can keep from a mirror. */
const memorableMs = 10 * 60_000;
/** What may be more in memory at the end than after the first faults. */
const maxGrowthBytes = 8_000_000;
/** What every fault must lead to, except for those that are over sooner than a mirror asks. */
const reported = ["connection_failed", "unauthenticated", "unexpected_response", "file_broken", "file_not_written"];

/** Looks at both mirrors again and again, and judges what they serve. */
export class Watch {
  readonly violations: string[] = [];
  readonly #world: MirrorWorld;
  readonly #errors = new Set<string>();
  #looks = 0;
  #heapBytes: number[] = [];

  constructor(world: MirrorWorld) {
    this.#world = world;
  }

  /** Lets something fail, looks meanwhile, and waits until both mirrors know what was written afterwards. */
  async during(name: string, fail: MirrorFault): Promise<void> {
    const { attack, proxy, disk, restarted, faultMs, restartServer, truth } = this.#world;
    let isDone = false;
    const target = {
      proxy,
      disk,
      restarted,
      faultMs,
      restartServer,
      random: attack.random,
      violations: this.violations,
    };
    const failing = fail(target).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await this.#look(name);
      await sleep(lookPauseMs);
    }
    await failing;
    await this.untilSynced(name);
    truth.forgetBefore(Date.now() - memorableMs);
    this.#judgeMemory((await this.#world.steady.look())?.heapBytes ?? 0);
  }

  async untilSynced(name = "start"): Promise<void> {
    const startMs = Date.now();
    for (;;) {
      const looks = await this.#look(name);
      if (looks.length === 2 && looks.every(({ lastSyncMs = 0 }) => lastSyncMs > startMs)) return;
      if (this.violations.length > 0 && this.#world.attack.isSabotaged) return;
      if (Date.now() - startMs > recoveryMs) {
        this.violations.push(`After ${name}, a mirror was not up to date for ${recoveryMs} ms.`);
        return;
      }
      await sleep(lookPauseMs);
    }
  }

  figures(): Record<string, string | number> {
    const { acknowledged } = this.#world.truth;
    return { looks: this.#looks, acknowledged, "kinds of errors": this.#errors.size, heap: this.#describeHeap() };
  }

  /** A fault that no mirror reports was none, or is hidden from whoever runs the program. */
  judgeErrors(): void {
    const silent = reported.filter((code) => !this.#errors.has(code));
    this.violations.push(...silent.map((code) => `No mirror reported ${code}.`));
  }

  async #look(name: string): Promise<Look[]> {
    const { steady, restarted } = this.#world;
    const looks: Look[] = [];
    for (const program of [steady, restarted]) {
      const look = await program.look();
      if (look === undefined) {
        if (program === steady) this.violations.push(`During ${name}, the program did not answer.`);
        continue;
      }
      looks.push(look);
      this.#judge(name, look, program === steady);
    }
    return looks;
  }

  #judge(name: string, look: Look, isSteady: boolean): void {
    const { truth } = this.#world;
    this.#looks += 1;
    for (const code of look.errors) this.#errors.add(code);
    const wrong = truth.judge(look, Date.now());
    const kept =
      isSteady && this.#looks > 2 && this.#heapBytes.length > 0 && look.websites.length === 0
        ? ["It serves nothing."]
        : [];
    this.violations.push(...[...wrong, ...kept].slice(0, 3).map((violation) => `During ${name}: ${violation}`));
  }

  #judgeMemory(heapBytes: number): void {
    this.#heapBytes.push(heapBytes);
    const [, first = Number.POSITIVE_INFINITY] = this.#heapBytes;
    if (heapBytes - first > maxGrowthBytes)
      this.violations.push(`The memory of a mirror has grown: ${this.#describeHeap()}.`);
  }

  #describeHeap(): string {
    const [, first = 0] = this.#heapBytes;
    return `${toMegabytes(first)} to ${toMegabytes(this.#heapBytes.at(-1) ?? 0)} MB`;
  }
}
