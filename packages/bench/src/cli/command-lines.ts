import { fileURLToPath } from "node:url";
import { cliBin } from "@siteward/testing/servers/built-programs";

/** A Node program that is started and runs to its end. */
interface CommandLine {
  readonly title: string;
  /** Returns the arguments of Node. */
  readonly words: (websiteUrl: string) => readonly string[];
  /** How many times the processor time of an empty script it may take. */
  readonly limit?: number;
}

/** Scripts to compare with, and commands of the CLI. */
export const commandLines = {
  empty: { title: "empty script", words: () => [script("empty.cjs")] },
  http: { title: "bare node:http", words: (url) => [script("node-http.cjs"), url] },
  "http-module": { title: "bare node:http, ES module", words: (url) => [script("node-http.mjs"), url] },
  fetch: { title: "bare fetch", words: (url) => [script("fetch.mjs"), url] },
  version: { title: "siteward --version", words: () => [cliBin, "--version"], limit: 1.5 },
  help: { title: "siteward --help", words: () => [cliBin, "--help"], limit: 1.3 },
  "command-help": { title: "siteward websites list --help", words: () => [cliBin, "websites", "list", "--help"] },
  get: { title: "siteward websites get 7", words: () => [cliBin, "websites", "get", "7"], limit: 2.5 },
  // Below 120 ms on a machine that takes 34 ms for an empty script.
  tab: { title: "Tab", words: () => [cliBin, "__complete", "zsh", "websites", "list", "--s"], limit: 3.5 },
} as const satisfies Record<string, CommandLine>;

export type CommandLineName = keyof typeof commandLines;

// The type of the result of `keys` does not name the keys.
export const commandLineNames = Object.keys(commandLines) as CommandLineName[];

function script(name: string): string {
  return fileURLToPath(new URL(`scripts/${name}`, import.meta.url));
}
