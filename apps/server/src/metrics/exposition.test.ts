import { expect, test } from "vitest";
import { Exposition } from "./exposition.ts";
import { SeriesTable } from "./series.ts";

const route = ["GET", "/api/v1/websites", "200"] as const;
const requests = "http_server_request_duration_seconds";

/** Returns the values of a metric, as they are written. */
async function render(
  exposition: Exposition,
  tables: readonly SeriesTable[],
  name: string,
  late: readonly SeriesTable[] = [],
): Promise<string[]> {
  const text = await exposition.render(async () => ({
    snapshots: tables.map((table) => table.snapshot()),
    late: late.map((table) => table.snapshot()),
  }));
  return text.split("\n").filter((line) => line.startsWith(name));
}

function measured(...seconds: readonly number[]): SeriesTable {
  const table = new SeriesTable();
  for (const value of seconds) table.get(requests, ...route).observe(value);
  return table;
}

test("a value is in the first bucket that it fits into, and in all later ones", async () => {
  const lines = await render(new Exposition(), [measured(0.0005, 0.0006, 99)], requests);
  const labels = 'http_request_method="GET",http_route="/api/v1/websites",http_response_status_code="200"';
  expect(lines.slice(0, 2)).toEqual([
    `${requests}_bucket{${labels},le="0.0005"} 1`,
    `${requests}_bucket{${labels},le="0.001"} 2`,
  ]);
  expect(lines.slice(-4)).toEqual([
    `${requests}_bucket{${labels},le="10"} 2`,
    `${requests}_bucket{${labels},le="+Inf"} 3`,
    `${requests}_sum{${labels}} 99.0011`,
    `${requests}_count{${labels}} 3`,
  ]);
});

test("a total is the same whichever process has ended: fractions of a second are added up exactly", async () => {
  const all = [measured(0.1, 0.7), measured(0.2), measured(0.3, 1e-6), measured(0.6)];
  const expected = await render(new Exposition(), all, `${requests}_sum`);
  expect(expected).toEqual([expect.stringMatching(/ 1\.900001$/)]);
  for (const ended of all) {
    const exposition = new Exposition();
    exposition.retain(ended.snapshot());
    const others = all.filter((table) => table !== ended);
    expect(await render(exposition, others, `${requests}_sum`)).toEqual(expected);
  }
});

test("of a process that has ended or does not answer, what it counted is kept, and what it had is not", async () => {
  const ended = new SeriesTable();
  ended.get("siteward_storage_write_groups_total").add(3);
  ended.get("process_open_fds").set(50);
  const exposition = new Exposition();
  exposition.retain(ended.snapshot());
  expect(await render(exposition, [], "siteward_storage_write_groups_total")).toEqual([
    "siteward_storage_write_groups_total 3",
  ]);
  expect(await render(exposition, [], "process_open_fds")).toEqual([]);
  const late = [ended];
  expect(await render(new Exposition(), [], "siteward_storage_write_groups_total", late)).toEqual([
    "siteward_storage_write_groups_total 3",
  ]);
  expect(await render(new Exposition(), [], "process_open_fds", late)).toEqual([]);
});

test("what has no meaning as a sum is the largest or the smallest value", async () => {
  const tables = [3, 9, 5].map((value) => {
    const table = new SeriesTable();
    table.get("siteward_websites").set(value);
    table.get("process_start_time_seconds").set(value);
    return table;
  });
  expect(await render(new Exposition(), tables, "siteward_websites")).toEqual(["siteward_websites 9"]);
  expect(await render(new Exposition(), tables, "process_start_time")).toEqual(["process_start_time_seconds 3"]);
});
