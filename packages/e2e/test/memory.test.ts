import { readResidentBytes } from "@siteward/testing/process-tree";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

test.runIf(process.platform === "linux")("the idle server uses less than 110 MB of memory", async () => {
  await using server = await startBuiltServer();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const residentBytes = readResidentBytes(server.processId);
  expect(residentBytes).toBeGreaterThan(0);
  expect(residentBytes).toBeLessThan(110_000_000);
});
