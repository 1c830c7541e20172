import { exitCodes } from "../process/exit-code.ts";
import type { Failure } from "./describe-error.ts";

/** What commander says about a command line that is not valid. */
interface UsageProblem {
  readonly code: string;
  readonly message: string;
}

/** Turns an error of commander into what is printed. */
export function describeUsage({ code, message }: UsageProblem): Failure {
  const text = code === "commander.help" ? "A command is missing." : adviseOnSecrets(message.replace(/^error: /, ""));
  return { exitCode: exitCodes.refused, code: "usage", message: asSentence(text) };
}

/** No flag takes a secret itself. The message does not repeat a value that was given with `=`. */
function adviseOnSecrets(text: string): string {
  const flag = /^unknown option '(--password|--api-key)['=]/.exec(text)?.[1];
  if (flag === "--password") return "unknown option '--password'. Pass the password with --password-stdin";
  if (flag === "--api-key")
    return "unknown option '--api-key'. Pass the API key with --api-key-stdin or --api-key-file";
  return text;
}

/** Commander starts with a small letter, puts a suggestion in parentheses on a second line, and may omit the period. */
function asSentence(text: string): string {
  const capitalized = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const sentence = capitalized.replace(/\n\((Did you mean .*\?)\)$/, ". $1");
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}
