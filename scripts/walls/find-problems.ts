import { type Cite, citeTable } from "./cite-table.ts";
import { findCycles } from "./find-cycles.ts";
import { findStrays } from "./find-strays.ts";
import { findUnused } from "./find-unused.ts";
import { judgeImport } from "./judge-import.ts";
import { readEntrances, readModules } from "./layout.ts";
import { type Import, readImports } from "./read-imports.ts";
import { readTree, type Tree } from "./read-tree.ts";
import type { Walls } from "./room.ts";
import type { Verdict } from "./verdict.ts";

/** Returns what is wrong with the imports of a repository, and what its table names in vain: one line each. */
export function findProblems(root: string, walls: Walls): string[] {
  const tree = readTree(root);
  const rules = { walls, entrances: readEntrances(walls), modules: readModules(walls) };
  const cite = citeTable(root);
  const imports = [...tree.files].flatMap(([from, text]) =>
    readImports(from, text).map((one) => ({ ...judgeImport(from, one, rules, tree), from, imported: one })),
  );
  return [
    ...findStrays(walls, tree, cite),
    ...imports.flatMap((one) => describe(one, tree, cite)),
    ...describeCycles(imports),
    ...findUnused(rules, imports, cite),
  ];
}

interface JudgedImport extends Verdict {
  readonly from: string;
  readonly imported: Import;
}

function describe({ from, imported, problem, room, key }: JudgedImport, { files }: Tree, cite: Cite): string[] {
  if (problem === undefined) return [];
  const line = files.get(from)?.slice(0, imported.start).split("\n").length;
  return [`${from}:${line} ${problem.trim()}${cite(room, key)}`];
}

/** What another thread or process runs closes no cycle. */
function describeCycles(imports: readonly JudgedImport[]): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, file, imported } of imports) {
    if (file !== undefined && imported.kind !== "address") graph.set(from, [...(graph.get(from) ?? []), file]);
  }
  const remedy = "Move what they share to a file below them.";
  return findCycles(graph).map((files) => `${files[0]} imports itself: ${[...files, files[0]].join(" → ")}. ${remedy}`);
}
