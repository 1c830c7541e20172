import { listTicks } from "./list-ticks.ts";
import type { Axis, Plot, Point } from "./plot.ts";
import { plotStyle, seriesStyleCount } from "./plot-style.ts";

const size = { width: 760, height: 400 } as const;
/** Between the edges of the image and the axes. The right side has room for the names of the series. */
const frame = { left: 76, right: 560, top: 48, bottom: 344 } as const;
const lineHeight = 18;

/** Renders a plot as SVG. The same figures give the same text. */
export function renderPlot(plot: Plot): string {
  const points = plot.series.flatMap((series) => series.points);
  const xTicks = [...new Set(points.map(({ x }) => x))].toSorted((left, right) => left - right);
  const yTicks = listTicks(
    plot.y,
    points.map(({ y }) => y),
  );
  const toX = createScale(plot.x, xTicks, [frame.left, frame.right]);
  const toY = createScale(plot.y, yTicks, [frame.bottom, frame.top]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img">`,
    `<title>${escapeText(plot.title)}</title>`,
    `<style>${plotStyle}</style>`,
    `<rect class="background" width="${size.width}" height="${size.height}"/>`,
    `<text class="heading" x="16" y="26">${escapeText(plot.title)}</text>`,
    ...yTicks.map((tick) => renderRow(tick, toY(tick))),
    ...xTicks.map((tick) => renderText(formatTick(tick), { x: toX(tick), y: frame.bottom + 20 }, "middle")),
    renderText(plot.x.label, { x: (frame.left + frame.right) / 2, y: size.height - 12 }, "middle"),
    `<text text-anchor="middle" transform="translate(18 ${(frame.top + frame.bottom) / 2}) ` +
      `rotate(-90)">${escapeText(plot.y.label)}</text>`,
    ...renderSeries(plot, toX, toY),
    "</svg>\n",
  ].join("\n");
}

type Scale = (value: number) => number;

function createScale({ scale }: Axis, ticks: readonly number[], [start, end]: readonly [number, number]): Scale {
  const map = scale === "logarithmic" ? Math.log10 : (value: number) => value;
  const [first, last] = [map(ticks[0] ?? 1), map(ticks.at(-1) ?? 1)];
  const span = last === first ? 1 : last - first;
  return (value) => round(start + ((map(value) - first) / span) * (end - start));
}

function renderRow(tick: number, y: number): string {
  const line = `<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${y}" y2="${y}"/>`;
  return `${line}${renderText(formatTick(tick), { x: frame.left - 8, y: y + 4 }, "end")}`;
}

/** Draws each line with its points, and its name at its end. */
function renderSeries({ series }: Plot, toX: Scale, toY: Scale): string[] {
  const ends = series.map(({ points }) => toY(points.at(-1)?.y ?? 0));
  const labelYs = spread(ends);
  return series.map(({ name, points }, index) => {
    const style = `series-${(index % seriesStyleCount) + 1}`;
    const places = points.map(({ x, y }) => ({ x: toX(x), y: toY(y) }));
    const line = `<polyline class="line ${style}" points="${places.map(({ x, y }) => `${x},${y}`).join(" ")}"/>`;
    const marks = places.map(({ x, y }) => `<circle class="mark ${style}" cx="${x}" cy="${y}" r="3.5"/>`).join("");
    const label = { x: frame.right + 12, y: (labelYs[index] ?? 0) + 4 };
    return `${line}${marks}${renderText(name, label, "start", `name ${style}`)}`;
  });
}

/** Moves places apart that are closer than a line of text, and keeps their order. */
function spread(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).toSorted((left, right) => left.place - right.place);
  const moved: number[] = [];
  let previous = Number.NEGATIVE_INFINITY;
  for (const { place, index } of order) {
    previous = Math.max(place, previous + lineHeight);
    moved[index] = round(previous);
  }
  return moved;
}

function renderText(text: string, { x, y }: Point, anchor: "start" | "middle" | "end", style?: string): string {
  const styled = style === undefined ? "" : ` class="${style}"`;
  return `<text${styled} text-anchor="${anchor}" x="${x}" y="${y}">${escapeText(text)}</text>`;
}

function formatTick(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 6 });
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
