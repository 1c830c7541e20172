import { fileURLToPath } from "node:url";
import { cliBin } from "@siteward/testing/servers/built-programs";

/** A Node program that is started and runs to its end. */
interface CommandLine {
  readonly title: string;
  /** The arguments of Node. */
  readonly words: readonly string[];
  /** How many times the processor time of an empty script it may take. */
  readonly limit: number;
}

/** A script to compare with, and commands of the CLI. */
export const commandLines = {
  empty: { title: "empty script", words: [fileURLToPath(new URL("scripts/empty.cjs", import.meta.url))], limit: 1 },
  version: { title: "siteward --version", words: [cliBin, "--version"], limit: 1.5 },
  help: { title: "siteward --help", words: [cliBin, "--help"], limit: 1.3 },
  get: { title: "siteward websites get 7", words: [cliBin, "websites", "get", "7"], limit: 2.5 },
  // Below 120 ms on a machine that takes 34 ms for an empty script.
  tab: { title: "Tab", words: [cliBin, "__complete", "zsh", "websites", "list", "--s"], limit: 3.5 },
} as const satisfies Record<string, CommandLine>;

export type CommandLineName = keyof typeof commandLines;

// The type of the result of `keys` does not name the keys.
export const commandLineNames = Object.keys(commandLines) as CommandLineName[];
