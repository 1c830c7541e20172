import { relative } from "node:path/posix";
import type { Cite } from "./cite-table.ts";
import type { Permission } from "./layout.ts";
import type { Rules, Verdict } from "./verdict.ts";

/** Returns what the table permits in vain: names that nobody imports, and importers that import none. */
export function findUnused({ entrances, modules }: Rules, verdicts: readonly Verdict[], cite: Cite): string[] {
  const used = new Set<string>();
  for (const { permission, name, by } of verdicts.flatMap(({ uses }) => uses ?? [])) {
    used.add(idOf(permission, name)).add(idOf(permission, by));
  }
  return [...entrances, ...modules].flatMap((permission) =>
    [...permission.names, ...permission.by]
      .filter((word) => !used.has(idOf(permission, word)))
      .map((word) => describe(permission, word, cite)),
  );
}

function idOf({ room, key }: Permission, word: string): string {
  return [room, key, word].join("\n");
}

function describe(permission: Permission, word: string, cite: Cite): string {
  const { room, key } = permission;
  const isName = permission.names.includes(word);
  const unused = isName
    ? `Nobody imports ${word}, which ${permission.by.map((path) => relative(".", path)).join(", ")} may.`
    : `${word} imports nothing of "${key}".`;
  return `${room} permits what nobody does. ${unused} Remove the permission.${cite(room, key)}`;
}
