import { createHistogram } from "node:perf_hooks";
import { runCaller } from "./caller.ts";
import type { CallerGroup, GroupResult, Load, LoadResult } from "./load.ts";
import { prepareRequests } from "./request-template.ts";

/** Sends the load of its argument from this process, and prints the result as JSON. */
// The argument is a `Load`, which `load.ts` encodes.
const given = JSON.parse(process.argv[2] ?? "") as Load;
console.log(JSON.stringify(await run(given)));

async function run({ groups, seconds, ...load }: Load): Promise<LoadResult> {
  const endMs = performance.now() + seconds * 1000;
  const running = Object.entries(groups).map(
    async ([name, group]) => [name, await runGroup(group, load, endMs)] as const,
  );
  return Object.fromEntries(await Promise.all(running));
}

/** Counts the answers before the end. The histogram is in microseconds. */
async function runGroup(
  group: CallerGroup,
  load: Omit<Load, "groups" | "seconds">,
  endMs: number,
): Promise<GroupResult> {
  const histogram = createHistogram();
  const startMs = performance.now();
  let answers = 0;
  const url = new URL(load.url);
  const headers = `host: ${url.host}\r\nauthorization: Bearer ${load.apiKey}\r\n`;
  const nextRequest = prepareRequests(group.request, headers, load);
  const onAnswer = (status: number, milliseconds: number) => {
    if (status >= 300) throw new Error(`${group.request.method} ${group.request.path} got ${status}.`);
    answers += 1;
    if (performance.now() >= endMs) return false;
    histogram.record(Math.max(1, Math.round(milliseconds * 1000)));
    return true;
  };
  await Promise.all(Array.from({ length: group.callers }, () => runCaller({ url, nextRequest, onAnswer })));
  return {
    answers,
    perSecond: histogram.count / ((endMs - startMs) / 1000),
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
  };
}
