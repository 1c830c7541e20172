import { describe, expect, test } from "vitest";
import { listTicks } from "../src/plot/list-ticks.ts";
import type { Plot } from "../src/plot/plot.ts";
import { renderPlot } from "../src/plot/render-plot.ts";
import { findXmlFault } from "./support/find-xml-fault.ts";

const plot: Plot = {
  title: "Reads & writes <measured>",
  x: { label: "callers", scale: "logarithmic" },
  y: { label: "requests per second", scale: "linear" },
  series: [
    { name: "get one", points: [1, 4, 16].map((x) => ({ x, y: x * 1_000 })) },
    { name: "create", points: [1, 4, 16].map((x) => ({ x, y: x * 990 })) },
  ],
};

describe("a plot", () => {
  const svg = renderPlot(plot);

  test("is well-formed XML, whatever its text contains", () => {
    expect(findXmlFault(svg)).toBeUndefined();
    expect(findXmlFault(svg.replace("</text>", ""))).toBeDefined();
    expect(svg).toContain("<title>Reads &amp; writes &lt;measured&gt;</title>");
  });

  test("has a line with a mark for each point and a name for each series", () => {
    expect(svg.match(/<polyline /g)).toHaveLength(2);
    expect(svg.match(/<circle /g)).toHaveLength(6);
    expect(svg).toMatch(/>get one<\/text>/);
    expect(svg).toMatch(/>create<\/text>/);
  });

  test("says what its axes show, and at which values", () => {
    expect(svg).toMatch(/>callers<\/text>/);
    expect(svg).toMatch(/>requests per second<\/text>/);
    for (const tick of ["1", "4", "16", "0", "5,000", "20,000"]) expect(svg).toContain(`>${tick}</text>`);
  });

  test("places a higher value higher, and a larger one further to the right", () => {
    const points =
      /points="([^"]+)"/
        .exec(svg)?.[1]
        ?.split(" ")
        .map((point) => point.split(",").map(Number)) ?? [];
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = points;
    expect(x2).toBeGreaterThan(x1);
    expect(y2).toBeLessThan(y1);
  });

  test("keeps names apart whose lines end at almost the same place", () => {
    const [first = 0, second = 0] = [...svg.matchAll(/class="name [^>]* y="([\d.]+)"/g)].map(([, y]) => Number(y));
    expect(Math.abs(first - second)).toBeGreaterThan(17);
  });

  test("has colors for a dark and a light screen, and the font of the system", () => {
    expect(svg).toContain("prefers-color-scheme: dark");
    expect(svg).toContain("system-ui");
  });
});

describe("the values at an axis", () => {
  test.for([
    ["linear", [3, 9_400], [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
    ["linear", [120], [0, 20, 40, 60, 80, 100, 120]],
    ["logarithmic", [0.06, 0.7], [0.05, 0.1, 0.2, 0.5, 1]],
    ["logarithmic", [0.3, 3], [0.2, 0.5, 1, 2, 5]],
    ["logarithmic", [0.04, 700], [0.01, 0.1, 1, 10, 100, 1_000]],
  ] as const)("are round and include all figures: %s %j", ([scale, values, ticks]) => {
    expect(listTicks({ scale }, values)).toEqual(ticks);
  });
});
