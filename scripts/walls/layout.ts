import { dirname, join } from "node:path/posix";
import type { Walls } from "./room.ts";

/** Where a file stands in the order of a room: the line, from the top, and what names the file there. */
interface Place {
  readonly entry: string;
  readonly row: number;
}

/** One line of `entrances` or `modules`, with its paths from the root of the repository. */
export interface Permission {
  readonly room: string;
  readonly key: string;
  readonly names: readonly string[];
  readonly by: readonly string[];
  readonly because: string;
}

/** Returns the rooms that a file is in, the innermost first. */
export function roomsOf(file: string, walls: Walls): string[] {
  const rooms = Object.keys(walls).filter((room) => covers(room, file));
  return rooms.toSorted((left, right) => right.length - left.length);
}

/** Returns the place of a file in the order of a room: its own, or else that of its innermost folder that is named. */
export function placeOf(file: string, room: string, walls: Walls): Place | undefined {
  const places = (walls[room]?.order ?? []).flatMap((line, row) => line.split(" | ").map((entry) => ({ entry, row })));
  const fitting = places.filter(({ entry }) => names(join(room, entry), file, walls));
  return fitting.toSorted((left, right) => right.entry.length - left.entry.length)[0];
}

function names(path: string, file: string, walls: Walls): boolean {
  if (path.endsWith("/**")) return covers(path.slice(0, -3), file);
  if (!path.endsWith("/")) return path === file;
  const folder = path.slice(0, -1);
  return Object.hasOwn(walls, folder) ? covers(folder, file) : dirname(file) === folder;
}

/** Returns whether a path is a file, or a folder that it is in, at whatever depth. */
export function covers(path: string, file: string): boolean {
  const folder = path.replace(/\/$/, "");
  return file === folder || file.startsWith(`${folder}/`);
}

/** Returns what others may import of each room. */
export function readEntrances(walls: Walls): Permission[] {
  return readPermissions(walls, "entrances").map((permission) => ({
    ...permission,
    names: permission.names.map((name) => join(permission.room, name)),
  }));
}

/** Returns which modules and globals each room uses. */
export function readModules(walls: Walls): Permission[] {
  return readPermissions(walls, "modules");
}

function readPermissions(walls: Walls, kind: "entrances" | "modules"): Permission[] {
  return Object.entries(walls).flatMap(([room, rules]) =>
    Object.entries(rules[kind] ?? {}).map(([key, value]) => {
      const { by, because } = typeof value === "string" ? { by: value, because: "" } : value;
      const paths = words(by).map((path) => join(room, path));
      return { room, key, names: words(key), by: paths, because: `${because} ${rules.because}`.trim() };
    }),
  );
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
