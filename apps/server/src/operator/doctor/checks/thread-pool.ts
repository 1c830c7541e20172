import type { Check } from "../check.ts";
import { ok, warning } from "../finding.ts";

const maxThreads = 1_024;

/** libuv reads UV_THREADPOOL_SIZE itself, and says nothing of a value that it cannot use. */
export const threadPool: Check = {
  run({ environment, config: { threads } }) {
    const text = environment["UV_THREADPOOL_SIZE"];
    const isUsed = text === undefined || (/^[1-9]\d*$/.test(text) && Number(text) <= maxThreads);
    if (isUsed) return [ok(`The thread pool has ${threads} threads.`)];
    return [
      warning(
        `UV_THREADPOOL_SIZE is ${JSON.stringify(text)}, which is not a number of threads: the pool has ${threads}.`,
        `Set it to a whole number from 1 to ${maxThreads}, or unset it for 4.`,
      ),
    ];
  },
};
