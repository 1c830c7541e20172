import Registry, { type Metric, type MetricValue } from "@prometheus-io/client/lib/registry.js";
import { type Family, type FamilyName, families } from "./families.ts";
import { addUp, type MeasuredProcesses, type Snapshot, totalsOf } from "./series.ts";

/** The media type of what `render` returns. */
export const contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** Adds up what several processes measured, with those that have ended, and writes it as Prometheus reads it. */
export class Exposition {
  /** What processes that ended have counted. A total that went down would look as if all processes had started again. */
  #ended: Snapshot = [];

  /** Keeps what a process has counted that has ended. */
  retain(snapshot: Snapshot): void {
    this.#ended = addUp([this.#ended, totalsOf(snapshot)]);
  }

  /**
   * @param read returns what the processes have measured that have not ended when it is called. Of those that did not answer, what they
   *   had counted still counts. If one ends meanwhile, its snapshot still
   *   counts, and what is retained of it does not.
   */
  async render(read: () => Promise<MeasuredProcesses>): Promise<string> {
    const ended = this.#ended;
    const { snapshots, late } = await read();
    return write(addUp([...snapshots, ...late.map(totalsOf), ended]));
  }
}

function write(snapshot: Snapshot): Promise<string> {
  const registry = new Registry();
  for (const metric of toMetrics(snapshot)) registry.registerMetric({ name: metric.name, get: () => metric });
  return registry.metrics();
}

/** Returns every metric, with the values of a snapshot. */
function toMetrics(snapshot: Snapshot): Metric[] {
  const seriesOf = Map.groupBy(snapshot, ([name]) => name);
  // The cast is safe: these are the names of the families. Object.entries loses their type.
  return (Object.entries(families) as [FamilyName, Family][]).map(([name, family]) => ({
    name,
    help: family.help,
    type: family.type,
    values: (seriesOf.get(name) ?? []).flatMap(([, labels, values]) =>
      toValues(
        name,
        family,
        Object.fromEntries(labels.map((value, index) => [family.labels[index] ?? "", value])),
        values,
      ),
    ),
  }));
}

/** Times were added up as whole numbers, see `Series`. */
function toValues(
  name: string,
  { buckets, isInMicroseconds = false }: Family,
  labels: Record<string, string>,
  values: readonly number[],
): MetricValue[] {
  const [value = 0] = values;
  if (buckets === undefined) return [{ labels, value: isInMicroseconds ? value / 1e6 : value }];
  let count = 0;
  const cumulative = [...buckets, "+Inf"].map((le, index) => {
    count += values[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(le) }, value: count };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels, value: (values.at(-1) ?? 0) / 1e6 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
