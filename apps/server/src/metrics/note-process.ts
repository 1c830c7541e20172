import { readdirSync, readFileSync } from "node:fs";
import { type Series, type SeriesTable, toMicroseconds } from "./series.ts";

/** The process that is measured. */
export type MeasuredProcess = Pick<NodeJS.Process, "cpuUsage" | "memoryUsage" | "uptime" | "version">;

/**
 * How often the event loop is looked at. Node's own `monitorEventLoopDelay` looks in 20 ms at the longest, and requests then took 5 to
 * 7 % more processor time when measured.
 */
const lookIntervalMs = 100;

/** Measures the memory, the processor time, the descriptors and the event loop of this process. */
export class ProcessMeter {
  readonly #table: SeriesTable;
  readonly #measured: MeasuredProcess;

  constructor(table: SeriesTable, measured: MeasuredProcess) {
    this.#table = table;
    this.#measured = measured;
    watchEventLoop(table.get("nodejs_eventloop_delay_seconds"));
    table.get("process_start_time_seconds").set(Math.round(Date.now() / 1000 - measured.uptime()));
    const max = readFromSystem(() => /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]);
    if (max !== undefined) table.get("process_max_fds").set(Number(max));
  }

  note(): void {
    const table = this.#table;
    const { user, system } = this.#measured.cpuUsage();
    table.get("process_cpu_seconds_total").set(user + system);
    this.#noteMemory();
    // One of them is open to read this folder.
    const open = readFromSystem(() => readdirSync("/proc/self/fd").length - 1);
    if (open !== undefined) table.get("process_open_fds").set(open);
    this.#noteEventLoop();
  }

  #noteMemory(): void {
    const table = this.#table;
    const memory = readFromSystem(() => this.#measured.memoryUsage());
    if (memory === undefined) return;
    table.get("process_resident_memory_bytes").set(memory.rss);
    table.get("nodejs_heap_size_used_bytes").set(memory.heapUsed);
    table.get("nodejs_heap_size_total_bytes").set(memory.heapTotal);
    table.get("nodejs_external_memory_bytes").set(memory.external);
  }

  #noteEventLoop(): void {
    const table = this.#table;
    const { active, idle } = performance.eventLoopUtilization();
    table.get("nodejs_eventloop_time_seconds_total", "active").set(toMicroseconds(active / 1000));
    table.get("nodejs_eventloop_time_seconds_total", "idle").set(toMicroseconds(idle / 1000));
  }
}

/** Counts how late a timer is, until the process ends. It does not keep the process running. */
function watchEventLoop(delay: Series): void {
  let dueMs = performance.now() + lookIntervalMs;
  const look = () => {
    const nowMs = performance.now();
    delay.observe(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + lookIntervalMs;
  };
  setInterval(look, lookIntervalMs).unref();
}

/**
 * Only Linux has these files, and each takes a descriptor for a moment, also the one that Node reads for `memoryUsage`. If there is none
 * left, which clients can bring about, the last value stays.
 */
function readFromSystem<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
