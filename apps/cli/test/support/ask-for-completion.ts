import { complete } from "../../src/complete/complete.ts";
import type { Shell } from "../../src/complete/shells.ts";
import { createProgram } from "../../src/program.ts";
import { recordIo } from "./recorded-io.ts";

const bashBreaks = " \t\n\"'@><=;|&(:";

/** What a shell was answered. */
interface Answer {
  readonly kind: string | undefined;
  readonly values: readonly (string | undefined)[];
  readonly stdout: string;
}

/**
 * Asks how a command line goes on, as the script of a shell does. Nothing may be printed on stderr.
 *
 * @param typed the command line after `siteward `, without quotes
 */
export async function askForCompletion(
  typed: string,
  env: Readonly<Record<string, string>> = {},
  shell: Shell = "zsh",
): Promise<Answer> {
  const words = typed.split(" ");
  const passed = { bash: [bashBreaks, `siteward ${typed}`], zsh: words, fish: words, powershell: [] }[shell];
  const variable = shell === "powershell" ? { SITEWARD_COMPLETION_WORDS: words.join("\n") } : {};
  const { io, written } = recordIo({ env: { ...env, ...variable } });
  await complete([shell, ...passed], io, createProgram(io));
  const { stdout, stderr } = written();
  if (stderr !== "") throw new Error(`Printed on stderr: ${stderr}`);
  const [kind, ...lines] = stdout.split("\n").slice(0, -1);
  return { kind, values: lines.map((line) => line.split("\t")[0]), stdout };
}
