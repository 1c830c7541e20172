/** The library's entry loads much more than this one of its files (docs/decisions.md), which has no types of its own. */
declare module "@prometheus-io/client/lib/registry.js" {
  import type { MetricObjectWithValues, MetricValueWithName } from "@prometheus-io/client";

  type Metric = Omit<MetricObjectWithValues<MetricValueWithName<string>>, "collect">;

  class Registry {
    static readonly PROMETHEUS_CONTENT_TYPE: string;
    static aggregate(metrics: readonly (readonly Metric[])[]): Registry;
    getMetricsAsJSON(): Promise<Metric[]>;
    metrics(): Promise<string>;
  }
  export = Registry;
}
