import type { Axis } from "./plot.ts";

const maxTicks = 7;
const steps = [1, 2, 5] as const;

/** Returns round values, the first at or below and the last at or above all values. A linear axis starts at 0. */
export function listTicks({ scale }: Pick<Axis, "scale">, values: readonly number[]): number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return scale === "linear" ? listLinearTicks(max) : listLogarithmicTicks(min, max);
}

function listLinearTicks(max: number): number[] {
  const step = roundValues(max / maxTicks, max).find((candidate) => max / candidate <= maxTicks - 1) ?? 1;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => clean(index * step));
}

/** Returns powers of ten if 1, 2 and 5 times each would be too many. */
function listLogarithmicTicks(min: number, max: number): number[] {
  const all = roundValues(min, max);
  if (all.length <= maxTicks) return all;
  const [low, high] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  return Array.from({ length: high - low + 1 }, (_, index) => clean(10 ** (low + index)));
}

/** Returns 1, 2 and 5 times powers of ten, from at most `min` to at least `max`. */
function roundValues(min: number, max: number): number[] {
  const [low, high] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const all = Array.from({ length: high - low + 1 }, (_, index) => low + index).flatMap((power) =>
    steps.map((step) => clean(step * 10 ** power)),
  );
  const first = all.findLastIndex((value) => value <= min);
  const last = all.findIndex((value) => value >= max);
  return all.slice(Math.max(first, 0), last + 1);
}

/** Removes the digits that binary fractions add, such as those of 0.30000000000000004. */
function clean(value: number): number {
  return Number(value.toPrecision(6));
}
