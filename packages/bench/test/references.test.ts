import { expect, test } from "vitest";
import { engineNames } from "../src/engines/bench-engine.ts";
import { startEngine } from "../src/engines/start-engine.ts";
import type { Served } from "../src/measure/measure-load.ts";
import { startTarget, type TargetName, targetNames, targets } from "../src/measure/targets.ts";

test.for(engineNames)(
  "references on %s find the same websites as the server, and store new ones like it",
  async (name) => {
    await using engine = await startEngine(name);
    const answers = new Map<TargetName, unknown>();
    for (const target of targetNames.filter((candidate) => isOn(candidate, name))) {
      const database = await engine.createDatabase(300);
      await using server = await startTarget(target, database.url);
      answers.set(target, await converse({ server, database }));
    }
    const { siteward, ...references } = Object.fromEntries(answers);
    expect(siteward).toMatchObject({ created: { id: 301 }, updated: { exclude_params: ["utm"] } });
    expect(Object.keys(references).length).toBeGreaterThan(1);
    for (const reference of Object.values(references)) expect(reference).toEqual(siteward);
  },
);

function isOn(target: TargetName, name: string): boolean {
  return targets[target].engines.some((engine) => engine === name);
}

/** Sends every kind of request of the benchmarks. Returns the answers without what is different each time. */
async function converse({ server, database }: Served) {
  const request = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${database.apiKey}`, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v1/websites${path}`, init);
    expect(response.ok).toBe(true);
    return (await response.json()) as { data: Website | Website[]; meta?: { total: number } };
  };
  const created = await request("POST", "", { domain: "lantern-shop.example", exclude_ips: ["203.0.113.0/24"] });
  const updated = await request("PUT", "/7", { exclude_params: ["utm"] });
  const one = await request("GET", "/299");
  const list = await request("GET", "");
  const found = await request("GET", "?search=lantern");
  const pages = [list, found].map(({ data, meta }) => [[data].flat().map(withoutTimes), meta?.total]);
  const [createdRecord, updatedRecord, record] = [created, updated, one].map(({ data }) =>
    withoutTimes([data].flat()[0]),
  );
  return { created: createdRecord, updated: updatedRecord, record, pages };
}

interface Website {
  readonly created_at: string;
  readonly updated_at: string;
}

function withoutTimes(website: Website | undefined) {
  const { created_at: _created, updated_at: _updated, ...rest } = website ?? { created_at: "", updated_at: "" };
  return rest;
}
