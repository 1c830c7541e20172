import { covers, roomsOf } from "./layout.ts";
import type { Rules, Verdict } from "./verdict.ts";

/** Decides whether a file may use a package, a built-in module or a global: some room that it is in must permit it. */
export function judgeModule(from: string, module: string, { walls, modules }: Rules): Verdict {
  const rooms = roomsOf(from, walls);
  const all = rooms.flatMap((room) => modules.filter((permission) => permission.room === room));
  const about = [module, ...wildcard(module)].flatMap((name) =>
    all.filter(({ names }) => names.includes(name)).map((permission) => ({ permission, name })),
  );
  for (const { permission, name } of about) {
    const by = permission.by.find((path) => covers(path, from));
    if (by !== undefined) return { uses: [{ permission, name, by }] };
  }
  const [room] = rooms;
  if (room === undefined) return {};
  const other = about.find(({ name }) => name === module)?.permission;
  if (other !== undefined) {
    const problem = `may not use ${module}. Only ${other.by.join(", ")} may. ${other.because}`;
    return { problem, room: other.room, key: other.key };
  }
  const because = walls[room]?.because ?? "";
  return { problem: `may not use ${module}. Nothing in ${room} may. ${because}`, room, key: "modules" };
}

function wildcard(module: string): string[] {
  return module.startsWith("node:") ? ["node:*"] : [];
}
