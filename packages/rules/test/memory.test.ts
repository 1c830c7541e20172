import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const rules = new URL("../src/index.ts", import.meta.url).href;

/** Prints by how many MB the heap has grown. */
const measured = `
  import { compileRules } from "${rules}";
  const settings = { exclude_bots: 1, exclude_params: [], exclude_ips: [] };
  const url = "https://example.com/";
  const judge = ({ domain }, userAgent) => compileRules({ ...settings, domain }).judge({ url, userAgent });
  judge({ domain: "example.com" }, "curl/8.5.0");
  const heapAfter = () => (gc(), process.memoryUsage().heapUsed / 1e6);
  const print = (what, before) => console.log(what, (heapAfter() - before).toFixed(2));
`;

test("the rules of 100,000 websites without entries take less than 20 MB", async () => {
  const megabytes = await measure(`
    const records = Array.from({ length: 100_000 }, (_, id) => ({ ...settings, domain: \`site-\${id}.example.com\` }));
    const before = heapAfter();
    globalThis.kept = records.map((record) => compileRules(record));
    print("grown", before);
    console.error(kept.length, records.length);
  `);
  expect(megabytes).toBeLessThan(20);
});

test.each([
  ["bots, which are remembered with what they match", "Mozilla/5.0 "],
  ["people", "Mozilla/5.0 (X11) "],
])("ever new user agents of %s, cut out of a large log, take less than 4 MB", async (_whose, start) => {
  const megabytes = await measure(`
    const before = heapAfter();
    for (let index = 0; index < 5_000; index += 1) {
      const log = \`${start}\${index}\${"x".repeat(480)}\\n\${"y".repeat(100_000)}\`;
      judge({ domain: "example.com" }, log.slice(0, log.indexOf("\\n")));
    }
    print("grown", before);
  `);
  expect(megabytes).toBeLessThan(4);
});

async function measure(code: string): Promise<number> {
  const words = ["--expose-gc", "--input-type=module", "--eval", measured + code];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(/grown (.*)/.exec(stdout)?.[1] ?? "NaN");
}
