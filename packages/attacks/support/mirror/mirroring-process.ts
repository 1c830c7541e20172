import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Look, ProgramOptions } from "./mirror-program.ts";

const program = fileURLToPath(new URL("./mirror-program.ts", import.meta.url));
const maxLookMs = 5_000;

/** A program with a mirror, in a process of its own. */
export class MirroringProcess implements AsyncDisposable {
  readonly options: ProgramOptions;
  #child: ChildProcess;

  constructor(options: ProgramOptions) {
    this.options = options;
    this.#child = start(options);
  }

  get processId(): number {
    return this.#child.pid ?? 0;
  }

  /** @returns undefined if the program does not run, or does not answer in time */
  async look(): Promise<Look | undefined> {
    const child = this.#child;
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, maxLookMs);
    child.once("exit", end);
    try {
      const answered = once(child, "message", { signal: ended.signal });
      child.send("look", (error) => error !== null && end());
      const [look] = await answered;
      return look;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      child.off("exit", end);
    }
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async restart(): Promise<void> {
    await this.kill();
    this.#child = start(this.options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

function start(options: ProgramOptions): ChildProcess {
  return fork(program, [JSON.stringify(options)], { execArgv: ["--expose-gc"] });
}
