import { type Aggregator, Counter, Gauge, type Registry } from "@prometheus-io/client";

/** A value, and the value of each label. A value that is not known is no series. */
type Read = () => readonly (readonly [value: number | undefined, ...labels: readonly string[]])[];

/** The aggregator says what a worker has together with the one that it replaces, while both run. The sum by default. */
type Options = Readonly<{ labels?: readonly string[]; aggregator?: Aggregator }>;

/** Adds a gauge that is read at each scrape. */
export function addGauge(registry: Registry, name: string, help: string, read: Read, options: Options = {}): void {
  const { labels: labelNames = [], aggregator = "sum" } = options;
  // Resetting a gauge without labels sets it to 0.
  const clear = () => (labelNames.length > 0 ? gauge.reset() : gauge.remove());
  const collect = () => update(read, clear, (value, labels) => gauge.labels(...labels).set(value));
  const gauge = new Gauge({ name, help, labelNames, aggregator, registers: [registry], collect });
}

/** Adds a counter that something else counts. It is read at each scrape. */
export function addCounter(registry: Registry, name: string, help: string, read: Read, options: Options = {}): void {
  const { labels: labelNames = [] } = options;
  const add = (value: number, labels: readonly string[]) => counter.labels(...labels).inc(value);
  const collect = () => update(read, () => counter.reset(), add);
  const counter = new Counter({ name, help, labelNames, registers: [registry], collect });
}

/**
 * If reading fails, the last values stay. Only Linux has some files. Reading takes a descriptor, also of the memory, and
 * clients can bring about that none is left.
 */
function update(read: Read, clear: () => void, set: (value: number, labels: readonly string[]) => void): void {
  let values: ReturnType<Read>;
  try {
    values = read();
  } catch {
    return;
  }
  clear();
  for (const [value, ...labels] of values) if (value !== undefined) set(value, labels);
}
