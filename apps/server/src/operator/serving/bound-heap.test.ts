import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Runs a program in a process of its own, since the heap of this one belongs to the tests. */
async function run(program: string): Promise<string> {
  const before = `const { boundHeap } = await import(${boundHeapUrl}); ${shared}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", before + program]);
  return stdout;
}

const boundHeapUrl = JSON.stringify(new URL("./bound-heap.ts", import.meta.url).href);

const shared = `
  import { setImmediate } from "node:timers/promises";
  import v8 from "node:v8";
  const readMegabytes = (name) => v8.getHeapSpaceStatistics().find((space) => space.space_name === name).space_size / 2 ** 20;
  let live = Array.from({ length: 20_000 });
  const churn = async () => {
    for (let index = 0; index < 30_000; index += 1) live[index % live.length] = { index, list: [index, index + 1] };
    await setImmediate();
  };
`;

it("young objects take at most half of what V8 would let them have, however many survive", async () => {
  const young = await run(`
    using _ = boundHeap();
    const endMs = performance.now() + 1_500;
    while (performance.now() < endMs) await churn();
    console.log(readMegabytes("new_space"));
  `);
  // Without the bound, it is 128. Between two checks, the room can double once more than it should.
  expect(Number(young)).toBeLessThanOrEqual(66);
  expect(Number(young)).toBeGreaterThan(8);
});
