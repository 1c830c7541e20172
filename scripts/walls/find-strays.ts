import { dirname, join } from "node:path/posix";
import type { Cite } from "./cite-table.ts";
import { placeOf, roomsOf } from "./layout.ts";
import { isConfig, isTest } from "./list-sources.ts";
import type { Tree } from "./read-tree.ts";
import type { Walls } from "./room.ts";

/** Returns the folders and files that no order names, and the entries of orders that name nothing. */
export function findStrays(walls: Walls, { files }: Tree, cite: Cite): string[] {
  const sources = [...files.keys()].filter((file) => !isTest(file) && !isConfig(file));
  const named = new Set<string>();
  const strays = sources.flatMap((file) => {
    const places = roomsOf(file, walls).map((room) => ({ room, place: placeOf(file, room, walls) }));
    for (const { room, place } of places) if (place !== undefined) named.add(join(room, place.entry));
    const lost = places.find(({ place }) => place === undefined);
    if (places.length > 0 && lost === undefined) return [];
    return [{ file, room: lost?.room }];
  });
  return [
    ...describeStrays(strays, new Set(sources.filter((file) => !strays.some((stray) => stray.file === file))), cite),
    ...namedInVain(walls, named, cite),
  ];
}

/** A folder of which no file is named is one problem. */
function describeStrays(
  strays: readonly { file: string; room: string | undefined }[],
  known: ReadonlySet<string>,
  cite: Cite,
): string[] {
  const knownFolders = new Set([...known].map((file) => dirname(file)));
  const texts = strays.map(({ file, room }) => {
    const path = knownFolders.has(dirname(file)) ? file : `${dirname(file)}/`;
    return `${path} is in no order. Name it in the order of ${room ?? "a new room"}.${cite(room, "order")}`;
  });
  return [...new Set(texts)];
}

function namedInVain(walls: Walls, named: ReadonlySet<string>, cite: Cite): string[] {
  return Object.entries(walls).flatMap(([room, { order }]) =>
    order
      .flatMap((row) => row.split(" | "))
      // The build writes dist.
      .filter((entry) => !named.has(join(room, entry)) && entry !== "dist/")
      .map((entry) => `${join(room, entry)} does not exist. Remove it from the order of ${room}.${cite(room, entry)}`),
  );
}
