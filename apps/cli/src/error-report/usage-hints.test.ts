import { Command } from "commander";
import { expect, test } from "vitest";
import { commands } from "../commands/registry.ts";
import { addGlobalFlags } from "../flags/global-flags.ts";
import { commandHints, optionHints } from "./usage-hints.ts";

const globalFlags = addedFlags();
const commandWords = new Set(commands.flatMap(({ words }) => [words.join(" "), words[0]]));

function addedFlags(): ReadonlySet<string> {
  const command = new Command();
  addGlobalFlags(command);
  return new Set(command.options.flatMap(({ long, short }) => [long, short]).filter((flag) => flag !== undefined));
}

const hints = [optionHints, ...Object.values(commandHints)].flatMap((record) => Object.values(record));

test.each([...new Set(hints)])("%j names only commands and flags that exist", (hint) => {
  const named = [...hint.matchAll(/`siteward ([a-z][a-z ]*)`/g)].map(([, words]) => words);
  const flags = [...hint.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
  const local = ["--version", "--password-stdin", "--all", "--search", "--yes", "--dry-run", "--on-conflict"];
  expect(named.filter((words) => !commandWords.has(words ?? ""))).toEqual([]);
  expect(flags.filter((flag) => !globalFlags.has(flag ?? "") && !local.includes(flag ?? ""))).toEqual([]);
});

test("no hint is for an option or a command that exists", () => {
  expect(Object.keys(optionHints).filter((flag) => globalFlags.has(flag))).toEqual([]);
  const typed = Object.entries(commandHints).flatMap(([parent, words]) =>
    Object.keys(words).map((word) => `${parent} ${word}`),
  );
  expect(typed.filter((words) => commandWords.has(words.replace("siteward ", "")))).toEqual([]);
});
