import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { shells } from "../../src/complete/shells.ts";
import { runInTerminal, type Terminal } from "./open-terminal.ts";

/** A shell that can be driven through a terminal. */
export type DrivenShell = "bash" | "zsh" | "fish";

const prompt = "ready> ";

/** How each shell starts without the settings of the machine, and the line that sets its prompt. */
const starts: Readonly<Record<DrivenShell, { readonly args: readonly string[]; readonly setPrompt: string }>> = {
  bash: { args: ["--norc", "--noprofile", "-i"], setPrompt: `PS1='rea''dy> '; bind 'set show-all-if-ambiguous on'` },
  zsh: { args: ["-f", "-i"], setPrompt: "PROMPT='rea''dy> '; unsetopt prompt_sp; zstyle ':completion:*' menu no" },
  fish: { args: ["--no-config", "-i"], setPrompt: "function fish_prompt; echo -n 'rea''dy> '; end" },
};

/** The input of {@link openShell}. */
export interface ShellInput {
  /** A folder for the home directory and for `siteward`. */
  readonly folder: string;
  /** The script of the program that the shell finds as `siteward`. */
  readonly siteward: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts an interactive shell in a terminal that has loaded the completion script, and waits for its prompt. */
export async function openShell(shell: DrivenShell, { folder, siteward, env = {} }: ShellInput): Promise<Terminal> {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "siteward"), siteward);
  await chmod(join(bin, "siteward"), 0o755);
  await writeFile(join(folder, "completion"), shells[shell]);
  const path = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  const { args, setPrompt } = starts[shell];
  const terminal = runInTerminal([shell, ...args], {
    env: { PATH: path, HOME: folder, LANG: "C.UTF-8", ...env },
    columns: 200,
  });
  terminal.type(`cd ${folder}; source ${folder}/completion; ${setPrompt}\r`);
  await terminal.waitFor(prompt);
  return terminal;
}
