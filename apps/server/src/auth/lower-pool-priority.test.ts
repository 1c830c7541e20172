import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = `
  import { readdirSync, readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { lowerPoolPriority } from ${JSON.stringify(new URL("./lower-pool-priority.ts", import.meta.url).href)};
  await lowerPoolPriority();
  const threads = readdirSync("/proc/self/task").map((id) => ({
    name: readFileSync("/proc/self/task/" + id + "/comm", "utf8").trim(),
    isMain: Number(id) === process.pid,
    niceness: getPriority(Number(id)),
  }));
  console.log(JSON.stringify(threads));
`;

interface Thread {
  readonly name: string;
  readonly isMain: boolean;
  readonly niceness: number;
}

test.runIf(process.platform === "linux")(
  "the threads that hash have a lower priority than the event loop, and no other thread has",
  async () => {
    const node = promisify(execFile);
    const env = { ...process.env, UV_THREADPOOL_SIZE: "4" };
    const { stdout } = await node(process.execPath, ["--input-type=module", "-e", program], { env });
    const threads: Thread[] = JSON.parse(stdout);
    const own = threads.find(({ isMain }) => isMain)?.niceness ?? Number.NaN;
    const lowered = threads.filter(({ niceness }) => niceness > own);
    expect(lowered.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => "libuv-worker"));
  },
);
