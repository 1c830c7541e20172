import { readFileSync } from "node:fs";
import { join } from "node:path";

const table = "scripts/walls/walls.ts";

/** Names the line of the table that says something: ` See scripts/walls/walls.ts:12.` */
export type Cite = (room?: string, key?: string) => string;

/** Reads the table as text, to find the line of a room, and in the room that of an entry or a key. */
export function citeTable(root: string): Cite {
  const lines = readFileSync(join(root, table), "utf8").split("\n");
  return (room, key) => {
    if (room === undefined) return "";
    const first = lines.findIndex((line) => opens(line, room));
    const below =
      key === undefined
        ? first
        : lines.findIndex((line, index) => index > first && (opens(line, key) || lists(line, key)));
    return ` See ${table}:${Math.max(first, below) + 1}.`;
  };
}

/** Whether the line is `key: …` or `"key": …`. */
function opens(line: string, key: string): boolean {
  const text = line.trimStart();
  return text.startsWith(`${key}:`) || text.startsWith(`"${key}":`) || text.startsWith(`["${key}"]:`);
}

/** Whether the line is an entry of an order, alone or side by side with others. */
function lists(line: string, entry: string): boolean {
  const text = line.trim().replace(/,$/, "");
  return /^".*"$/.test(text) && text.slice(1, -1).split(" | ").includes(entry);
}
