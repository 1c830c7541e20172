import type { Figures } from "./figures.ts";

/** What tells the figures of a list apart. */
const keys = {
  http: ["engine", "latencyMs", "scenario", "target"],
  mixed: ["setup", "load"],
  callers: ["engine", "scenario", "callers"],
  sizes: ["engine", "websites"],
  disks: ["delayMs"],
} as const satisfies { readonly [Name in ListName]: ReadonlyArray<keyof Figures[Name][number]> };

type ListName = { [Name in keyof Figures]: Figures[Name] extends readonly unknown[] ? Name : never }[keyof Figures];

/** Replaces the figures that were measured again, and keeps all others. */
export function mergeFigures(old: Figures, measured: Partial<Figures>): Figures {
  return {
    machine: measured.machine ?? old.machine,
    memory: measured.memory ?? old.memory,
    http: mergeList(old.http, measured.http, keys.http),
    mixed: mergeList(old.mixed, measured.mixed, keys.mixed),
    callers: mergeList(old.callers, measured.callers, keys.callers),
    sizes: mergeList(old.sizes, measured.sizes, keys.sizes),
    disks: mergeList(old.disks, measured.disks, keys.disks),
  };
}

function mergeList<Figure>(
  old: readonly Figure[],
  measured: readonly Figure[] = [],
  names: ReadonlyArray<keyof Figure>,
): readonly Figure[] {
  const isSame = (left: Figure, right: Figure) => names.every((name) => left[name] === right[name]);
  const kept = old.map((figure) => measured.find((candidate) => isSame(candidate, figure)) ?? figure);
  return [...kept, ...measured.filter((figure) => !old.some((known) => isSame(known, figure)))];
}
