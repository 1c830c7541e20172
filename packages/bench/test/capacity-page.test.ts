import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { commandNames } from "../src/capacity/commands.ts";
import { changes, promisesOf } from "../src/capacity/promises.ts";
import type { Figures } from "../src/docs/figures.ts";
import { plan } from "../src/docs/plan.ts";
import { plots } from "../src/docs/render-plots.ts";
import { capacityFolder, capacityPage, mergeFigures, readFigures, renderPage } from "../src/docs/write-docs.ts";
import { engineNames } from "../src/engines/bench-engine.ts";
import { scenarioNames } from "../src/measure/scenarios.ts";
import { setups } from "../src/mixed/setups.ts";
import { findXmlFault } from "./support/find-xml-fault.ts";

describe("docs/capacity.md", () => {
  test("its tables are those of its figures", async () => {
    const page = await readFile(capacityPage, "utf8");
    expect(renderPage(page, await readFigures())).toBe(page);
  });

  test.for(Object.entries(plots))("%s is the plot of its figures", async ([name, render]) => {
    const svg = await readFile(new URL(name, capacityFolder), "utf8");
    expect(svg).toBe(render(await readFigures()));
    expect(findXmlFault(svg)).toBeUndefined();
    expect(svg).not.toContain("NaN");
    expect(await readFile(capacityPage, "utf8")).toContain(`(capacity/${name})`);
  });

  test("it has a figure for each scenario, promise and command on each engine, and for each setup", async () => {
    const { http, mixed, sizes, promises, commands } = await readFigures();
    for (const engine of engineNames) {
      const measured = http.filter((figure) => figure.engine === engine && figure.latencyMs === 0);
      expect(new Set(measured.map(({ scenario }) => scenario))).toEqual(new Set(scenarioNames));
      expect(sizes.filter((size) => size.engine === engine).length).toBeGreaterThan(1);
      for (const change of changes) {
        const withPromises = promises.filter((figure) => figure.engine === engine && figure.change === change);
        expect(withPromises.map(({ promise }) => promise)).toEqual(promisesOf(change));
      }
      expect(commands.filter((figure) => figure.engine === engine).map(({ command }) => command)).toEqual(commandNames);
    }
    expect(new Set(mixed.map(({ setup }) => setup))).toEqual(new Set(Object.values(setups).map(({ title }) => title)));
  });
});

describe("figures of a new run", () => {
  test("replace those of the same measurement and keep all others", async () => {
    const old = await readFigures();
    const [first, ...others] = old.http;
    if (first === undefined) throw new Error("The page has no figures.");
    const merged = mergeFigures(old, { http: [{ ...first, perSecond: 1 }] });
    expect(merged).toEqual({ ...old, http: [{ ...first, perSecond: 1 }, ...others] });
  });
});

describe("the plan for an installation", () => {
  const figures: Figures = {
    machine: { cores: 2, processor: "", node: "", syncMs: 1 },
    memory: { idleBytes: 0, afterWriteBytes: 0 },
    mixed: [],
    callers: [],
    disks: [],
    promises: [],
    commands: [],
    http: (["get", "create"] as const).map((scenario) => ({
      ...{ engine: "postgres", latencyMs: 0, scenario, target: "siteward", perSecond: 1, p50Ms: 1, p99Ms: 1 },
      cpuMicroseconds: scenario === "get" ? 100 : 1_000,
      databaseMicroseconds: scenario === "get" ? 30 : 600,
      generatorMicroseconds: 40,
    })),
    sizes: (["sqlite", "postgres"] as const).flatMap((engine) =>
      [1_000, 100_000].map((websites) => ({
        ...{ engine, websites, residentBytes: 0, getMs: 1, listMs: 1, searchMs: 1, createMs: 1, createsPerSecond: 1 },
        diskBytes: 8_000_000 + websites * (engine === "sqlite" ? 300 : 700),
      })),
    ),
  };
  const demand = { websites: 1_000_000, accounts: 100, readsPerSecond: 10_000, createsPerSecond: 200 };

  test("continues the disk size of the largest database", () => {
    expect(plan(figures, demand).diskBytes).toEqual({ sqlite: 380_000_000, postgres: 780_000_000 });
  });

  test("adds the processor time of all requests, and leaves 40 % of the cores free", () => {
    // 10,000 × 100 µs + 200 × 1,000 µs = 1.2 s of each second; 10,000 × 30 µs + 200 × 600 µs = 0.42 s.
    expect(plan(figures, demand)).toMatchObject({ serverCores: 2, databaseCores: 1 });
    expect(plan(figures, { ...demand, readsPerSecond: 20_000 })).toMatchObject({ serverCores: 4, databaseCores: 2 });
  });
});
