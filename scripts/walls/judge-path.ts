import { join } from "node:path/posix";
import { covers, type Permission, placeOf, roomsOf } from "./layout.ts";
import { isConfig, isTest } from "./list-sources.ts";
import type { Import } from "./read-imports.ts";
import type { Tree } from "./read-tree.ts";
import { byItsName } from "./resolve-import.ts";
import type { Rules, Use, Verdict } from "./verdict.ts";

/** Decides whether a file may import another file of the repository. */
export function judgePath(from: string, to: string, kind: Import["kind"], rules: Rules, tree: Tree): Verdict {
  const isSource = tree.files.has(to);
  const crosses = tree.packageOf(from) !== tree.packageOf(to);
  if (isTest(from)) return crosses && kind !== "address" && !covers("scripts", to) ? leaves(to) : {};
  // The address of another file is data that is read.
  if (kind === "address" && !isSource) return {};
  if (crosses || isTest(to)) return judgeCrossing(from, to, crosses, rules);
  return (isSource || isBuilt(to)) && !isConfig(from) ? judgeOrder(from, to, rules) : {};
}

/** Other packages, and tests, are imported by a path only through an entrance. */
function judgeCrossing(from: string, to: string, crosses: boolean, { entrances }: Rules): Verdict {
  const use = enter(from, to, entrances);
  if (use !== undefined) return { uses: [use] };
  return crosses ? leaves(to) : { problem: `imports ${to}. Only tests import tests.` };
}

function leaves(to: string): Verdict {
  return { problem: `leaves its package by a path, to ${to}. ${byItsName}` };
}

function isBuilt(to: string): boolean {
  return to.includes("/dist/");
}

function enter(from: string, to: string, entrances: readonly Permission[]): Use | undefined {
  for (const permission of entrances) {
    const by = permission.by.find((path) => covers(path, from));
    const name = permission.names.find((path) => covers(path, to));
    if (by !== undefined && name !== undefined) return { permission, name, by };
  }
  return undefined;
}

/** What is imported is below the file in the room that has both, and is an entrance of each room that only it is in. */
function judgeOrder(from: string, to: string, rules: Rules): Verdict {
  const { walls } = rules;
  const room = roomsOf(to, walls).find((common) => covers(common, from));
  if (room === undefined) return {};
  const above = placeOf(from, room, walls);
  const below = placeOf(to, room, walls);
  if (below === undefined) return { problem: `imports ${to}, which is in no order.`, room, key: "order" };
  if (above === undefined || above.entry === below.entry) return {};
  if (above.row < below.row) return judgeEntrances(from, to, room, rules);
  const [importer, imported] = [join(room, above.entry), join(room, below.entry)];
  const rule =
    above.row === below.row
      ? `${imported} is side by side with ${importer}, and they do not import each other.`
      : `${imported} is above ${importer}. A folder imports only what is below it.`;
  const because = walls[roomsOf(from, walls)[0] ?? room]?.because ?? "";
  return { problem: `imports ${to}. ${rule} ${because}`, room, key: below.entry };
}

function judgeEntrances(from: string, to: string, common: string, { walls, entrances }: Rules): Verdict {
  const entered = roomsOf(to, walls).filter((room) => room.length > common.length && walls[room]?.entrances);
  const uses: Use[] = [];
  for (const room of entered) {
    const use = enter(
      from,
      to,
      entrances.filter((permission) => permission.room === room),
    );
    const because = walls[room]?.because ?? "";
    const key = "entrances";
    if (use === undefined)
      return { problem: `imports ${to}, which ${room} does not open to it. ${because}`, room, key };
    uses.push(use);
  }
  return { uses };
}
