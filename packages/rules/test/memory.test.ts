import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Prints by how many MB the heap grows: for ever new user agents, cut out of a large log, and for many websites. */
const measured = `
  import { compileRules } from "${new URL("../src/index.ts", import.meta.url).href}";
  const settings = { exclude_bots: 1, exclude_params: [], exclude_ips: [] };
  const rules = compileRules({ ...settings, domain: "example.com" });
  const heapAfter = () => (gc(), process.memoryUsage().heapUsed / 1e6);
  const grown = [];
  rules.judge({ url: "https://example.com/", userAgent: "curl/8.5.0" });
  for (const start of ["Mozilla/5.0 ", "Mozilla/5.0 (X11) "]) {
    const before = heapAfter();
    for (let index = 0; index < 5_000; index += 1) {
      const log = \`\${start}\${index}\${"x".repeat(480)}\\n\${"y".repeat(100_000)}\`;
      rules.judge({ url: "https://example.com/", userAgent: log.slice(0, log.indexOf("\\n")) });
    }
    grown.push(heapAfter() - before);
  }
  const records = Array.from({ length: 100_000 }, (_, id) => ({ ...settings, domain: \`site-\${id}.example.com\` }));
  const before = heapAfter();
  globalThis.kept = records.map((record) => compileRules(record));
  console.log(JSON.stringify([...grown, heapAfter() - before]), kept.length + records.length);
`;

test("ever new user agents of bots and of people take less than 4 MB, and the rules of 100,000 websites less than 20", async () => {
  const words = ["--expose-gc", "--input-type=module", "--eval", measured];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const [bots, people, websites]: number[] = JSON.parse(stdout.split(" ")[0] ?? "");
  expect(bots).toBeLessThan(4);
  expect(people).toBeLessThan(4);
  expect(websites).toBeLessThan(20);
});
