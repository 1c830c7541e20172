import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { expect } from "vitest";
import { test } from "./support/cli-test.ts";

/** How many times the processor time of an empty script a command may take. */
const limits = [
  ["--version", 1.6],
  ["--help", 1.6],
  ["websites get 1", 3],
  ["__complete zsh websites list --s", 3.5],
] as const;
const rounds = 9;
/** Bash measures a process that has ended in milliseconds: Node measures only itself, and `/proc` counts in 10 ms. */
const measured = `TIMEFORMAT="%3U %3S"; time "$@" > /dev/null`;

test.for(limits)(
  "`siteward %s` takes at most %d times the processor time of an empty script",
  async ([line, most], { cli, folder }) => {
    await cli.add("a.example");
    const env = { ...cli.env, PATH: process.env["PATH"], HOME: folder.path };
    const measure = async (...words: string[]) => {
      const command = ["-c", measured, "bash", process.execPath, ...words];
      const { stderr } = await promisify(execFile)("bash", command, { env });
      // The times are the last line. A program may print notes before it.
      const [user = Number.NaN, system = Number.NaN] = stderr.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
      return user + system;
    };
    // Node keeps what it compiles of the CLI, as for users.
    const run = () => measure(cliBin, ...line.split(" "));
    await run();
    const ratios: number[] = [];
    // Both in turn, so that other work on the machine affects both.
    for (let round = 0; round < rounds; round += 1) ratios.push((await run()) / (await measure("--eval", "0")));
    expect(ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)]).toBeLessThan(most);
  },
);
