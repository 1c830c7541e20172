import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { commandNames } from "../src/capacity/commands.ts";
import { commandLineNames } from "../src/cli/command-lines.ts";
import { loads } from "../src/mixed/loads.ts";
import { partNames } from "../src/rules/measure-rules.ts";
import { callNames } from "../src/sdk/calls.ts";

/** Each measurement is so short that the figures mean nothing. A request that fails ends the benchmark with an error. */
const quick = ["--seconds", "0.05", "--rounds", "1"];

describe("pnpm bench http", () => {
  test("sends reads and writes to every target on SQLite", async () => {
    const output = await run("http", "--engine", "sqlite", "--only", "search,update,create-one");
    expect(targetsIn(output)).toHaveLength(3 + 4 + 4);
    expect(output).toMatch(/Memory of the server: \d+ MB idle/);
  });

  // On a machine that other tests keep busy, 100 callers can wait for more than the 2 s after which the server refuses them, which ends
  // the benchmark with an error. So it is tried again.
  test("sends reads and writes to every target on PostgreSQL, at the given distance from it", {
    retry: 2,
  }, async () => {
    // Long enough for an answer from each target while other tests keep both cores busy. Without one, the time is 0.
    const output = await run("http", "--latency-ms", "5", "--only", "get,create-one", "--seconds", "0.5");
    expect(targetsIn(output)).toHaveLength(2 * 3);
    const timesMs = [...output.matchAll(/^bare node:http +\S+ +(\S+)/gm)].map(([, p50Ms]) => Number(p50Ms));
    expect(Math.min(...timesMs)).toBeGreaterThan(5);
  });
});

describe("pnpm bench mixed", () => {
  test("sends every load to a server", async () => {
    const output = await run("mixed", "--only", "plain");
    expect(output.match(/^(8 readers|64 writers)/gm)).toHaveLength(Object.keys(loads).length);
  });
});

describe("pnpm bench capacity", () => {
  test("measures commands of the CLI, and what a database with so many websites carries", async () => {
    const output = await run("capacity", "--engine", "sqlite", "--only", "commands,sizes", "--websites", "1000");
    expect(output.match(/^SQLite, (import|export|plan) .* 1,000( +\d+\.\d\d){3}$/gm)).toHaveLength(commandNames.length);
    expect(output.match(/^SQLite, [\d,]+ /gm)).toEqual(["SQLite, 1,000 "]);
  });
});

describe("pnpm bench changes", () => {
  test("reads one website, no change and one change", async () => {
    const output = await run("changes", "--engine", "sqlite", "--websites", "100");
    expect(output.match(/^(get one|changes since .*\)) +\d/gm)).toHaveLength(3);
  });
});

describe("pnpm bench sdk", () => {
  test("makes each call with the SDK and with a bare fetch, at the real server and at one that only sends its bytes", async () => {
    const output = await run("sdk", "--seconds", "0.01", "--websites", "100");
    const figures = / +[\d,]+ +[\d,]+ +[+−]\d+\.\d % +[\d,]+ +[\d,]+ +[+−]\d+\.\d %$/.source;
    expect(output.match(new RegExp(`^(bare node:http|Siteward)${figures}`, "gm"))).toHaveLength(2 * callNames.length);
  });
});

describe("pnpm bench rules", () => {
  test("judges visits with the rules, with BlockList and with a loop, and compiles the entries", async () => {
    const output = await run("rules");
    expect(output.match(/^(judge|compile): .* +\d+\.\d\d +[\d,]+/gm)).toHaveLength(partNames.length);
    expect(output.match(/ \d+\.\d\d×$/gm)).toHaveLength(2);
  });
});

describe("pnpm bench cli", () => {
  test("runs bare scripts and commands, and compares each with an empty script", async () => {
    const output = await run("cli", "--rounds", "1");
    const ratios = [...output.matchAll(/ (\d+\.\d\d)×( +\d+\.\d\d×)? +[\d.]+$/gm)].map(([, ratio]) => Number(ratio));
    expect(ratios).toHaveLength(commandLineNames.length);
    expect(ratios[0]).toBe(1);
    expect(output).toMatch(/^siteward websites get 7 .* 3\.50× /m);
  });
});

describe("the options of a benchmark", () => {
  test("--list prints the names of the chosen parts, and measures nothing", async () => {
    expect(await run("http", "--list", "--only", "get")).toBe("get\n");
  });

  test.for([["--engine", "oracle"], ["--only", "delete"], ["--rounds", "0"], ["--seconds", "-1"], ["--what"]])(
    "refuse %s",
    async (words) => {
      await expect(run("http", ...words)).rejects.toMatchObject({ code: 2 });
    },
  );
});

function targetsIn(output: string): string[] {
  return [...(output.match(/^(Siteward|bare Express 5|bare node:http|node:http with group commit) /gm) ?? [])];
}

async function run(name: string, ...options: string[]): Promise<string> {
  const program = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...quick, ...options]);
  return stdout;
}
