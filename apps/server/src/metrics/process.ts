import { readdirSync } from "node:fs";
import { Histogram, type Registry } from "@prometheus-io/client";
import { readMaxDescriptors } from "../door/serve.ts";
import { addCounter, addGauge } from "./at-scrape.ts";

/**
 * How often the event loop is looked at. Node's own `monitorEventLoopDelay`, which the library's metrics of a process
 * use, looks in 20 ms at the longest, and requests then took 5 to 7 % more processor time when measured.
 */
const lookIntervalMs = 100;

/** Measures the memory, the processor time, the descriptors and the event loop of this process. */
export function measureProcess(registry: Registry): void {
  const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
  const cpu = "process_cpu_seconds_total";
  addCounter(registry, cpu, "Processor time of the process.", () => [[seconds(process.cpuUsage())]]);
  addGauge(registry, "process_resident_memory_bytes", "Memory of the process.", () => [[process.memoryUsage().rss]]);
  const heap = "nodejs_heap_size_used_bytes";
  addGauge(registry, heap, "Used heap of the process.", () => [[process.memoryUsage().heapUsed]]);
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  const started = "When the process started, in seconds since 1970.";
  addGauge(registry, "process_start_time_seconds", started, () => [[startedAt]], { aggregator: "min" });
  // One of them is open to read this folder.
  const open = () => readdirSync("/proc/self/fd").length - 1;
  addGauge(registry, "process_open_fds", "Open descriptors of the process.", () => [[open()]]);
  const descriptors = "Descriptors that the process may open.";
  addGauge(registry, "process_max_fds", descriptors, () => [[readMaxDescriptors()]], { aggregator: "min" });
  watchEventLoop(registry);
}

/** Counts how late a timer is, until the process ends. It does not keep the process running. */
function watchEventLoop(registry: Registry): void {
  const delay = new Histogram({
    name: "nodejs_eventloop_delay_seconds",
    help: "How late the event loop was, ten times a second.",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let dueMs = performance.now() + lookIntervalMs;
  const look = () => {
    const nowMs = performance.now();
    delay.observe(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + lookIntervalMs;
  };
  setInterval(look, lookIntervalMs).unref();
}
