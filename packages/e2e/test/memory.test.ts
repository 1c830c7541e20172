import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

test.runIf(process.platform === "linux")("the idle server uses less than 110 MB of memory", async () => {
  await using server = await startBuiltServer();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const status = readFileSync(`/proc/${server.processId}/status`, "utf8");
  const residentBytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  expect(residentBytes).toBeLessThan(110_000_000);
});
