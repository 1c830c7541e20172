/** The library's entry loads much more than this one of its files (docs/decisions.md), which has no types of its own. */
declare module "@prometheus-io/client/lib/registry.js" {
  class Registry {
    static readonly PROMETHEUS_CONTENT_TYPE: string;
    registerMetric(metric: { readonly name: string; get(): Registry.Metric }): void;
    /** Returns the text that Prometheus reads. */
    metrics(): Promise<string>;
  }

  namespace Registry {
    interface Metric {
      readonly name: string;
      readonly help: string;
      readonly type: "counter" | "gauge" | "histogram";
      readonly values: readonly MetricValue[];
    }

    /** One line of the text. */
    interface MetricValue {
      /** If it differs from that of the metric, as that of a bucket does. */
      readonly metricName?: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly value: number;
    }
  }

  export = Registry;
}
