/** Files and what they import. */
type Graph = ReadonlyMap<string, readonly string[]>;

/** Returns the shortest cycle through each file that is in one and in no cycle before: its files in order. */
export function findCycles(graph: Graph): string[][] {
  const seen = new Set<string>();
  return [...graph.keys()].flatMap((file) => {
    const cycle = seen.has(file) ? undefined : shortestCycle(file, graph);
    for (const member of cycle ?? []) seen.add(member);
    return cycle === undefined ? [] : [cycle];
  });
}

/** Searches in breadth from what the file imports until it is reached again. */
function shortestCycle(file: string, graph: Graph): string[] | undefined {
  const importers = new Map<string, string>();
  const queue = [file];
  for (const from of queue) {
    for (const to of graph.get(from) ?? []) {
      if (to === file) return pathTo(from, file, importers);
      if (importers.has(to)) continue;
      importers.set(to, from);
      queue.push(to);
    }
  }
  return undefined;
}

function pathTo(last: string, first: string, importers: ReadonlyMap<string, string>): string[] {
  if (last === first) return [first];
  return [...pathTo(importers.get(last) ?? first, first, importers), last];
}
