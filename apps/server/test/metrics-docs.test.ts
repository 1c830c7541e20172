import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes } from "@siteward/contract";
import { refusalReasons } from "@siteward/service";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { expect, test } from "vitest";
import { ProcessMetrics } from "../src/metrics/metrics.ts";
import type { Storage } from "../src/storage/interface/storage.ts";

const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
const read = (path: string) => readFileSync(join(docs, path), "utf8");
const page = read("metrics.md");

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** Every metric of a server with PostgreSQL and replicas. */
const families = readFamilies();

/** Every series that Prometheus gets, by the name that queries use. */
const exported = new Set(
  families.flatMap(({ name, type }) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

test("docs/metrics.md lists every metric with its type, its labels and its help", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.+?) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  const expected = families.map(({ name, type, labelNames, help }) => [
    name,
    type,
    labelNames.map((label) => `\`${label}\``).join(", ") || "none",
    help,
  ]);
  expect(rows.toSorted()).toEqual(expected.toSorted());
});

test("docs/metrics.md explains every reason that is not an error code", () => {
  const causes = refusalReasons.filter((reason) => !Object.hasOwn(errorCodes, reason));
  expect(causes).toContain("overload");
  expect(causes.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
});

test.each([
  ["dashboard.json", /\\?"expr": "((?:[^"\\]|\\.)*)"/g],
  ["alerts.yml", /expr: (?:>-)?([\s\S]*?)(?=\n {8}for)/g],
] as const)("docs/metrics/%s names only metrics that are exported, and labels that they have", (file, expressions) => {
  const found = read(`metrics/${file}`).matchAll(expressions);
  const queries = [...found].map(([, query = ""]) => query.replaceAll('\\"', '"'));
  const selectors = queries.flatMap((query) => [...query.matchAll(/\b(\w+)\{([^}]*)\}/g)]);
  const names = queries.flatMap((query) => query.match(/\b(?:http|db|siteward|process|nodejs)_\w+/g) ?? []);
  expect(names.length).toBeGreaterThan(10);
  const labels = new Set(families.flatMap(({ labelNames }) => labelNames));
  expect(names.filter((name) => !exported.has(name) && !labels.has(name))).toEqual([]);
  const unknown = selectors.filter(([, name = "", matchers = ""]) => {
    const used = [...matchers.matchAll(/(\w+)(?:=~|!=|=)/g)].map(([, label = ""]) => label);
    return used.some((label) => !["job", "instance", "worker", ...labelsOf(name)].includes(label));
  });
  expect(unknown.map(([selector]) => selector)).toEqual([]);
});

test("the dashboard shows every metric, with variables for the job and the instance", () => {
  const text = read("metrics/dashboard.json");
  const { templating } = JSON.parse(text);
  expect(templating.list.map(({ name }: { name: string }) => name)).toEqual(["datasource", "job", "instance"]);
  const hidden = families.map(({ name }) => name).filter((name) => !text.includes(name));
  expect(hidden).toEqual([]);
});

test.skipIf(lacksProgram("promtool"))(
  "the alert rules are valid, and each fires when it should and is silent otherwise",
  () => {
    for (const words of [
      ["check", "rules", "metrics/alerts.yml"],
      ["test", "rules", "metrics/alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", words, { cwd: docs, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
    const alerts = [...read("metrics/alerts.yml").matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const tested = new Set([...read("metrics/alerts.test.yml").matchAll(/alertname: (\w+)/g)].map(([, name]) => name));
    expect(alerts.filter((name) => !tested.has(String(name)))).toEqual([]);
  },
);

function labelsOf(series: string): readonly string[] {
  const found = families.find(({ name }) => series === name || series.replace(/_(bucket|sum|count)$/, "") === name);
  return found === undefined ? [] : [...found.labelNames, "le"];
}

function readFamilies(): readonly Family[] {
  const metrics = new ProcessMetrics("1.2.3", "0");
  // The cast is safe: the storage is not called.
  metrics.measureStorage({} as Storage);
  const load = () => ({ waitingWrites: 0, pools: [], replication: undefined });
  metrics.watch({ activeRequests: () => 0, load, totals: () => undefined });
  metrics.watchBackups(() => undefined);
  // The library's types lack the names of the labels.
  return metrics.registry.getMetricsAsArray() as unknown as Family[];
}
