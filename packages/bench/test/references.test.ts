import { engineNames } from "@siteward/testing/engines/database";
import { expect, test } from "vitest";
import { startEngine } from "../src/engines/bench-engine.ts";
import { websiteCount } from "../src/engines/seeded-file.ts";
import { type Served, targets } from "../src/measure/targets.ts";

test.for(engineNames)(
  "the reference on %s finds the same websites as the server, and stores new ones like it",
  async (name) => {
    await using engine = await startEngine[name]();
    const converseWith = async (target: keyof typeof targets) => {
      const database = await engine.createDatabase();
      await using server = await targets[target](database.url);
      return await converse({ server, database });
    };
    const answers = await converseWith("siteward");
    expect(answers).toMatchObject([
      { data: { id: websiteCount + 1 } },
      { data: { exclude_params: ["utm"] } },
      ...answers.slice(2),
    ]);
    expect(await converseWith("express")).toEqual(answers);
  },
);

/** Sends every kind of request of the benchmarks. Returns the answers without their times, and without the links of a page. */
async function converse({ server, database }: Served) {
  const requests = [
    ["POST", "", { domain: "lantern-shop.example", exclude_ips: ["203.0.113.0/24"] }],
    ["PUT", "/7", { exclude_params: ["utm"] }],
    ["GET", "/299"],
    ["GET", ""],
    ["GET", "?search=lantern"],
  ] as const;
  const answers = [];
  for (const [method, path, body] of requests) {
    const headers = { authorization: `Bearer ${database.apiKey}`, "content-type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${server.url}/api/v1/websites${path}`, init);
    expect(response.ok).toBe(true);
    const { data, meta } = JSON.parse((await response.text()).replace(/"\d{4}-[\d-]+T[\d:.]+Z"/g, '"a time"'));
    answers.push({ data, total: meta?.total });
  }
  return answers;
}
