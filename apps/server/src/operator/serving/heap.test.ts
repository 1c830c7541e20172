import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Runs a program in a process of its own, since the heap of this one belongs to the tests. */
async function run(program: string): Promise<string> {
  const imported = ["bound-heap", "collect-when-idle"].map((name) => `await import(${quote(`./${name}.ts`)})`);
  const before = `const [{ boundHeap }, { collectWhenIdle }] = [${imported}]; ${shared}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", before + program]);
  return stdout;
}

const quote = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

const shared = `
  import { setImmediate, setTimeout } from "node:timers/promises";
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

it("a process that has become idle collects its garbage", async () => {
  const [before, after] = (
    await run(`
      using _ = collectWhenIdle(20);
      const garbage = Array.from({ length: 400_000 }, (_, index) => ({ index, list: [index] }));
      for (let count = 0; count < 50; count += 1) await churn();
      const before = v8.getHeapStatistics().used_heap_size;
      garbage.length = 0;
      await setTimeout(300);
      console.log(before, v8.getHeapStatistics().used_heap_size);
    `)
  )
    .split(" ")
    .map(Number);
  expect(before).toBeGreaterThan(40e6);
  expect(after).toBeLessThan(15e6);
});
