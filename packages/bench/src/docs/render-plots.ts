import { engineNames, engineTitles } from "../engines/bench-engine.ts";
import { renderPlot } from "../plot/render-plot.ts";
import type { Figures, SizeFigure } from "./figures.ts";

const times = { getMs: "get one", listMs: "list ten", searchMs: "search", createMs: "create" } as const;

/** Renders each plot of docs/capacity.md, by the name of its file. */
export const plots = {
  "callers.svg": ({ callers }) =>
    renderPlot({
      title: "Requests per second against the number of callers",
      x: { label: "callers that send at the same time", scale: "logarithmic" },
      y: { label: "requests per second", scale: "linear" },
      series: engineNames.flatMap((engine) =>
        (["get", "create"] as const).map((scenario) => ({
          name: `${scenario === "get" ? "get one" : "create"}, ${engineTitles[engine]}`,
          points: callers
            .filter((figure) => figure.engine === engine && figure.scenario === scenario)
            .map((figure) => ({ x: figure.callers, y: figure.perSecond })),
        })),
      ),
    }),
  "sizes.svg": ({ sizes }) =>
    renderPlot({
      title: "Time of an operation against the size of the database",
      x: { label: "websites in the database", scale: "logarithmic" },
      y: { label: "median time with one caller, ms", scale: "logarithmic" },
      series: Object.entries(times).map(([name, title]) => ({
        name: `${title}, SQLite`,
        points: sizes
          .filter(({ engine }) => engine === "sqlite")
          .toSorted((left, right) => left.websites - right.websites)
          // The entries of `times` are typed as strings. Each is a key of a size.
          .map((size) => ({ x: size.websites, y: size[name as keyof typeof times & keyof SizeFigure] })),
      })),
    }),
  "disks.svg": ({ disks }) =>
    renderPlot({
      title: "Creates per second against the disk, SQLite, 64 callers",
      x: { label: "time that each sync takes longer, ms", scale: "linear" },
      y: { label: "creates per second", scale: "linear" },
      series: [{ name: "create", points: disks.map((disk) => ({ x: disk.delayMs, y: disk.createsPerSecond })) }],
    }),
} as const satisfies Readonly<Record<string, (figures: Figures) => string>>;
