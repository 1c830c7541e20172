import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { SeriesTable } from "./series.ts";

/** The process that is measured. */
export type MeasuredProcess = Pick<NodeJS.Process, "cpuUsage" | "memoryUsage" | "uptime" | "version">;

/** How often the event loop is looked at. */
const delayResolutionMs = 20;
/** The delay is that of the last 30 seconds to a minute, however often it is read. */
const delayWindowMs = 30_000;

/** Measures the memory, the processor time, the descriptors and the event loop of this process. */
export class ProcessMeter {
  readonly #table: SeriesTable;
  readonly #measured: MeasuredProcess;
  readonly #delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  #delaySinceMs = performance.now();

  constructor(table: SeriesTable, measured: MeasuredProcess) {
    this.#table = table;
    this.#measured = measured;
    this.#delay.enable();
    table.get("process_start_time_seconds").set(Math.round(Date.now() / 1000 - measured.uptime()));
    const max = readFromSystem(() => /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    if (max !== undefined) table.get("process_max_fds").set(Number(max));
  }

  note(): void {
    const table = this.#table;
    const { user, system } = this.#measured.cpuUsage();
    const { rss, heapUsed, heapTotal, external } = this.#measured.memoryUsage();
    table.get("process_cpu_seconds_total").set((user + system) / 1e6);
    table.get("process_resident_memory_bytes").set(rss);
    table.get("nodejs_heap_size_used_bytes").set(heapUsed);
    table.get("nodejs_heap_size_total_bytes").set(heapTotal);
    table.get("nodejs_external_memory_bytes").set(external);
    // One of them is open to read this folder.
    const open = readFromSystem(() => readdirSync("/proc/self/fd").length - 1);
    if (open !== undefined) table.get("process_open_fds").set(open);
    this.#noteEventLoop();
  }

  #noteEventLoop(): void {
    const table = this.#table;
    const { active, idle } = performance.eventLoopUtilization();
    table.get("nodejs_eventloop_time_seconds_total", "active").set(active / 1000);
    table.get("nodejs_eventloop_time_seconds_total", "idle").set(idle / 1000);
    table.get("nodejs_eventloop_delay_p99_seconds").set(toDelaySeconds(this.#delay.percentile(99)));
    table.get("nodejs_eventloop_delay_max_seconds").set(toDelaySeconds(this.#delay.max));
    const nowMs = performance.now();
    if (nowMs - this.#delaySinceMs < delayWindowMs) return;
    this.#delay.reset();
    this.#delaySinceMs = nowMs;
  }
}

/** Node measures from one look to the next, which includes the time between them. */
function toDelaySeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - delayResolutionMs / 1000);
}

/** Only Linux has these files. */
function readFromSystem<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
