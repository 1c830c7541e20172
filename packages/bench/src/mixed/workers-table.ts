import { formatRatio } from "../format.ts";
import type { MixedFigure } from "./measure-setup.ts";
import { type Setup, setups } from "./setups.ts";

export const workersHeadings = [
  "Disk",
  "reads alone",
  "creates alone",
  "reads next to creates",
  "creates next to reads",
] as const;

/** Compares two workers with one process, on each disk that was measured with both. The first cell names the disk. */
export function toWorkersRows(figures: readonly MixedFigure[]): string[][] {
  const all: readonly Setup[] = Object.values(setups);
  return all
    .filter(({ workers }) => workers > 1)
    .flatMap((many) => {
      const one = all.find(({ workers, syncDelayMs }) => workers === 1 && syncDelayMs === many.syncDelayMs);
      const [fromOne, fromMany] = [one, many].map((setup) => figures.filter((figure) => figure.setup === setup?.title));
      if (fromOne === undefined || fromMany === undefined || fromOne.length === 0 || fromMany.length === 0) return [];
      const disk = many.syncDelayMs === 0 ? "plain disk" : `syncs take ${many.syncDelayMs} ms longer`;
      return [[disk, ...compare(fromOne, fromMany)]];
    });
}

function compare(one: readonly MixedFigure[], many: readonly MixedFigure[]): string[] {
  const ratio = (choose: (figures: readonly MixedFigure[]) => number | null | undefined) =>
    formatRatio((choose(many) ?? Number.NaN) / (choose(one) ?? Number.NaN));
  return [
    ratio((figures) => figures.find(isReadersAlone)?.readsPerSecond),
    ratio((figures) => figures.find(isWritersAlone)?.writesPerSecond),
    ratio((figures) => figures.find(isBoth)?.readsPerSecond),
    ratio((figures) => figures.find(isBoth)?.writesPerSecond),
  ];
}

/** The first load with readers and no writers has nobody else either. */
export function isReadersAlone({ readsPerSecond, writesPerSecond }: MixedFigure): boolean {
  return readsPerSecond !== null && writesPerSecond === null;
}

export function isWritersAlone({ readsPerSecond }: MixedFigure): boolean {
  return readsPerSecond === null;
}

function isBoth({ readsPerSecond, writesPerSecond }: MixedFigure): boolean {
  return readsPerSecond !== null && writesPerSecond !== null;
}
