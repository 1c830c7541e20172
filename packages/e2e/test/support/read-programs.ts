import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cliBin, serverBin } from "./built-server.ts";

/** The help of a program's commands, by their words. That of the program itself has no words. */
export type HelpTexts = ReadonlyMap<string, string>;

/** Our two programs, by the names that users type. */
export type Programs = Readonly<Record<"siteward" | "siteward-server", HelpTexts>>;

/** Reads the help of all commands of both programs. */
export async function readPrograms(): Promise<Programs> {
  const [cli, server] = await Promise.all([readHelp(cliBin, []), readHelp(serverBin, [])]);
  return { siteward: new Map(cli), "siteward-server": new Map(server) };
}

/** Returns the names of the commands that a help lists. */
export function commandsIn(help: string): readonly string[] {
  const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  return [...commands.matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
}

async function readHelp(bin: string, words: readonly string[]): Promise<[string, string][]> {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, ...words, "--help"]);
  const below = await Promise.all(commandsIn(stdout).map((command) => readHelp(bin, [...words, command])));
  return [[words.join(" "), stdout], ...below.flat()];
}
