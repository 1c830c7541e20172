import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CallName } from "./calls.ts";

/** Who makes the calls. */
export type CallerName = "bare" | "sdk";

export interface CallingOptions {
  readonly caller: CallerName;
  readonly url: string;
  readonly apiKey: string;
  /** The first of the numbers that no other process uses. */
  readonly firstNumber: number;
}

export interface Asked {
  readonly call: CallName;
  /** How long to make calls, one at a time. */
  readonly seconds: number;
}

/** What one call costs on average. */
export interface CallResult {
  /** Processor time of the process that makes the calls. */
  readonly cpuMicroseconds: number;
  readonly wallMicroseconds: number;
}

/** A process that makes calls. It stays the same in all rounds, so that its code is compiled once. */
interface CallingProcess extends AsyncDisposable {
  readonly measure: (asked: Asked) => Promise<CallResult>;
}

const program = fileURLToPath(new URL("./calling-program.ts", import.meta.url));

/** Starts a process for one caller, so that the code of the other is not in it. */
export function startCalling(options: CallingOptions): CallingProcess {
  const child = fork(program, [JSON.stringify(options)]);
  const ended = once(child, "exit");
  return {
    measure: async (asked) => {
      child.send(asked);
      const failed = ended.then(([code]) => Promise.reject(new Error(`A process that made calls ended with ${code}.`)));
      // The program sends nothing but results.
      const [result] = (await Promise.race([once(child, "message"), failed])) as [CallResult];
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
