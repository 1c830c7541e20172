import type { Aggregator, MetricObjectWithValues, MetricType, MetricValueWithName } from "@prometheus-io/client";
import Registry from "@prometheus-io/client/lib/registry.js";
import { type Family, type FamilyName, families } from "./families.ts";
import { type MeasuredProcesses, type Snapshot, totalsOf } from "./series.ts";

/** The media type of what `render` returns. */
export const contentType: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** What several processes have measured, in the library's form. */
type Metrics = readonly Metric[];
type Metric = Omit<MetricObjectWithValues<MetricValueWithName<string>>, "collect">;

/** Adds up what several processes measured, with those that have ended, and writes it as Prometheus reads it. */
export class Exposition {
  /** What processes that ended have counted. A total that went down would look as if all processes had started again. */
  #ended: Promise<Metrics> = Promise.resolve([]);

  /** Keeps what a process has counted that has ended. */
  retain(snapshot: Snapshot): void {
    const metrics = toMetrics(totalsOf(snapshot));
    this.#ended = this.#ended.then((ended) => Registry.aggregate([ended, metrics]).getMetricsAsJSON());
  }

  /**
   * @param read returns what the processes have measured that have not ended when it is called. Of those that did not answer, what they
   *   had counted still counts. If one ends meanwhile, its snapshot still
   *   counts, and what is retained of it does not.
   */
  async render(read: () => Promise<MeasuredProcesses>): Promise<string> {
    const [ended, { snapshots, late }] = await Promise.all([this.#ended, read()]);
    const known = [...snapshots, ...late.map(totalsOf)];
    const sum = Registry.aggregate([toMetrics([]), ...known.map(toMetrics), ended]);
    return Registry.aggregate([(await sum.getMetricsAsJSON()).map(inSeconds)]).metrics();
  }
}

/** Whole numbers were added up, see `Series`. */
function inSeconds(metric: Metric): Metric {
  // The cast is safe: the names are those of the families.
  const { type, isInMicroseconds = false }: Family = families[metric.name as FamilyName];
  const isTime = ({ metricName }: MetricValueWithName<string>) =>
    type === "histogram" ? metricName === `${metric.name}_sum` : isInMicroseconds;
  return {
    ...metric,
    values: metric.values.map((value) => (isTime(value) ? { ...value, value: value.value / 1e6 } : value)),
  };
}

/** Returns every metric, with the values of a snapshot. */
function toMetrics(snapshot: Snapshot): Metrics {
  const valuesOf = Map.groupBy(snapshot, ([name]) => name);
  // The cast is safe: these are the names of the families. Object.entries loses their type.
  return (Object.entries(families) as [FamilyName, Family][]).map(([name, family]) => ({
    name,
    help: family.help,
    // The cast is safe: these are its values. The library exports them as an enum for types alone.
    type: family.type as unknown as MetricType,
    aggregator: (family.across ?? "sum") satisfies Aggregator,
    values: (valuesOf.get(name) ?? []).flatMap(([, labels, values]) =>
      toValues(
        name,
        family,
        Object.fromEntries(labels.map((value, index) => [family.labels[index] ?? "", value])),
        values,
      ),
    ),
  }));
}

function toValues(
  name: string,
  { buckets }: Family,
  labels: Record<string, string>,
  values: readonly number[],
): MetricValueWithName<string>[] {
  if (buckets === undefined) return [{ labels, value: values[0] ?? 0 }];
  let count = 0;
  const cumulative = [...buckets, "+Inf"].map((le, index) => {
    count += values[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels, value: values.at(-1) ?? 0 },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
