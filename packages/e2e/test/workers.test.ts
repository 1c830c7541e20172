import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

test.runIf(process.platform === "linux")(
  "the built server serves in several processes, and they end with it",
  async () => {
    await using server = await startBuiltServer({ SITEWARD_WORKERS: "2" });
    const { apiKey } = await server.createAccount();
    const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
    for (const id of [1, 2, 3, 4]) {
      const body = JSON.stringify({ domain: `example-${id}.com` });
      const created = await fetch(`${server.url}/api/v1/websites`, { method: "POST", headers, body });
      expect(await created.json()).toMatchObject({ data: { id } });
    }
    const workers = childrenOf(server.processId);
    expect(workers).toHaveLength(2);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(workers.filter((worker) => existsSync(`/proc/${worker}`))).toEqual([]);
  },
);

function childrenOf(processId: number | undefined): string[] {
  return readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8").trim().split(" ");
}
