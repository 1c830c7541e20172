import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { readUsage } from "../src/processes/process-usage.ts";

test.runIf(process.platform === "linux")(
  "the processor time of a process includes processes below it that have ended",
  () => {
    const before = readUsage(process.pid).cpuSeconds;
    execFileSync(process.execPath, ["-e", "while (process.cpuUsage().user < 100_000);"]);
    // The system counts in 10 ms.
    expect(readUsage(process.pid).cpuSeconds - before).toBeGreaterThan(0.08);
  },
);
