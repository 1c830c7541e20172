import { expect, test } from "vitest";
import { ProcessMeter } from "./note-process.ts";
import { SeriesTable } from "./series.ts";

test("a process that has no descriptor left to read its memory still measures the rest", () => {
  const table = new SeriesTable();
  let isExhausted = false;
  const memoryUsage = () => {
    if (isExhausted) throw new Error("EMFILE: too many open files, uv_resident_set_memory");
    return { rss: 7, heapUsed: 5, heapTotal: 6, external: 4, arrayBuffers: 3 };
  };
  const cpuUsage = () => ({ user: isExhausted ? 30 : 10, system: 20 });
  const meter = new ProcessMeter(table, {
    version: "v24.0.0",
    uptime: () => 1,
    cpuUsage,
    memoryUsage: Object.assign(memoryUsage, { rss: () => 7 }),
  });
  meter.note();
  isExhausted = true;
  meter.note();
  expect(table.get("process_resident_memory_bytes").values[0]).toBe(7);
  expect(table.get("process_cpu_seconds_total").values[0]).toBe(50);
});
