import { citeTable } from "./cite-table.ts";
import { findCycles } from "./find-cycles.ts";
import { findStrays } from "./find-strays.ts";
import { findUnused } from "./find-unused.ts";
import { judgeImport } from "./judge-import.ts";
import { readEntrances, readModules } from "./layout.ts";
import { readImports } from "./read-imports.ts";
import { readTree } from "./read-tree.ts";
import type { Walls } from "./room.ts";
import type { Verdict } from "./verdict.ts";

/** Returns what is wrong with the imports of a repository, and what its table names in vain: one line each. */
export function findProblems(root: string, walls: Walls): string[] {
  const tree = readTree(root);
  const rules = { walls, entrances: readEntrances(walls), modules: readModules(walls) };
  const cite = citeTable(root);
  const problems: string[] = [];
  const verdicts: Verdict[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of tree.files) {
    const imported = readImports(file, text).map((one) => ({
      ...judgeImport(file, one, rules, tree),
      kind: one.kind,
      start: one.start,
    }));
    verdicts.push(...imported);
    graph.set(
      file,
      imported.flatMap((one) => (one.file !== undefined && one.kind !== "address" ? [one.file] : [])),
    );
    for (const { start, problem, room, key } of imported) {
      if (problem !== undefined) problems.push(`${file}:${lineAt(text, start)} ${problem.trim()}${cite(room, key)}`);
    }
  }
  return [
    ...findStrays(walls, tree, cite),
    ...problems,
    ...describeCycles(graph),
    ...findUnused(rules, verdicts, cite),
  ];
}

function lineAt(text: string, start: number): number {
  return text.slice(0, start).split("\n").length;
}

function describeCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return findCycles(graph).map(
    (files) =>
      `${files[0]} imports itself: ${[...files, files[0]].join(" → ")}. Move what they share to a file below them.`,
  );
}
