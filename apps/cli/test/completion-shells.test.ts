import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { describe, expect } from "vitest";
import { shells as scripts } from "../src/complete/shells.ts";
import { test } from "./support/cli-test.ts";
import { runInTerminal, type Terminal } from "./support/open-terminal.ts";

const shells = ["bash", "zsh", "fish"] as const;
type DrivenShell = (typeof shells)[number];

const prompt = "ready> ";

/** How each shell starts without the settings of the machine, and the line that sets its prompt. */
const starts: Readonly<Record<DrivenShell, { readonly args: readonly string[]; readonly setPrompt: string }>> = {
  bash: { args: ["--norc", "--noprofile", "-i"], setPrompt: `PS1='rea''dy> '; bind 'set show-all-if-ambiguous on'` },
  zsh: { args: ["-f", "-i"], setPrompt: "PROMPT='rea''dy> '; unsetopt prompt_sp; zstyle ':completion:*' menu no" },
  fish: { args: ["--no-config", "-i"], setPrompt: "function fish_prompt; echo -n 'rea''dy> '; end" },
};

/**
 * Starts an interactive shell in a terminal that has loaded the completion script, and waits for its prompt.
 *
 * @param folder for the home directory and for `siteward`, which runs this script
 */
async function openShell(shell: DrivenShell, folder: string, siteward: string, env = {}): Promise<Terminal> {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "siteward"), siteward);
  await chmod(join(bin, "siteward"), 0o755);
  await writeFile(join(folder, "completion"), scripts[shell]);
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

/** Prints its arguments, each in angle brackets. A script that asks for completions gets the answer of this command. */
function echoingProgram(answer: string): string {
  return `#!/bin/sh
if [ "$1" = __complete ]; then ${answer}; exit; fi
printf '<%s>' "$@"
echo
`;
}

/** What Tab makes of a command line, in every shell. */
const completions: readonly (readonly [typed: string, run: string])[] = [
  ["siteward webs\tli\t--sor\t=a\t", "<websites><list><--sort=asc>"],
  ["siteward websites get exa\t", "<websites><get><example.com>"],
  ['siteward --profile wo\t websites get "exa\t', "<--profile><work><websites><get><example.com>"],
  ["siteward websites get bü\t", "<websites><get><bücher.example>"],
  ["siteward account --fields id,na\t,em\t", "<account><--fields><id,name,email>"],
  ["siteward account --api-key-file 'a f\t", "<account><--api-key-file><a file>"],
  ["siteward account --api-key-file=ke\t", "<account><--api-key-file=key.txt>"],
];

/** What would run a command in one of the shells if it were inserted as it is. */
const hostileTexts = [
  "x$(touch pwned)",
  "x`touch pwned`",
  "x;touch pwned",
  "x|touch pwned",
  "x>pwned",
  "x'\"(touch pwned)",
  "x\\$(touch pwned)",
  "x:$(touch pwned):*",
  "x%{$(touch pwned)%}{a,b}",
];

describe.each(shells)("%s", (shell) => {
  test.skipIf(lacksProgram(shell))(
    "completes commands, flags, values, fields, files, profiles and domains",
    async ({ cli, folder }) => {
      await cli.add("example.com", "xn--bcher-kva.example", "other.example");
      const profile = { api_key: cli.fake.apiKey, base_url: cli.url };
      await folder.write("profiles.json", JSON.stringify({ profiles: { work: profile, default: profile } }));
      for (const name of ["key.txt", "a file"]) await folder.write(name, "");
      const siteward = echoingProgram(`'${process.execPath}' '${cliBin}' "$@"`);
      const env = { SITEWARD_CONFIG_DIR: folder.path };
      using terminal = await openShell(shell, folder.path, siteward, env);
      for (const [typed, run] of completions) {
        terminal.type(`${typed}\r`);
        await terminal.waitFor(run);
      }
    },
  );

  test.skipIf(lacksProgram(shell))(
    "inserts a hostile text as one argument, and runs nothing of it",
    async ({ folder }) => {
      using terminal = await openShell(shell, folder.path, echoingProgram("cat answer"));
      for (const text of hostileTexts) {
        await folder.write("answer", `word\n${text}${shell === "bash" ? "" : "\t$(touch pwned) `touch pwned`"}\n`);
        terminal.type("siteward x\t\r");
        await terminal.waitFor(`<${text}>`);
      }
      await expect(access(join(folder.path, "pwned"))).rejects.toThrow("ENOENT");
    },
  );
});
