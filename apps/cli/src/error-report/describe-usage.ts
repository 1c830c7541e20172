import { exitCodes } from "../process/exit-code.ts";
import type { Failure } from "./describe-error.ts";
import { findUsageHint } from "./usage-hints.ts";

/** What commander says about a command line that is not valid. */
interface UsageProblem {
  readonly code: string;
  readonly message: string;
}

/**
 * Turns an error of commander into what is printed.
 *
 * @param calledWords the words of the command that was called, such as `siteward websites`
 */
export function describeUsage({ code, message }: UsageProblem, calledWords: string): Failure {
  const text = code === "commander.help" ? "a command is missing" : hideSecrets(message.replace(/^error: /, ""));
  const sentence = asSentence(text);
  const hint = findUsageHint({ code, word: /^Unknown \w+ '([^']*)'/.exec(sentence)?.[1] ?? "", calledWords });
  // Commander suggests what is spelled similarly. A hint knows what is meant.
  const whole = hint === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/, "")} ${hint}`;
  return { exitCode: exitCodes.refused, code: "usage", message: whole };
}

/** Removes API keys and the values of unknown options, such as `--password=secret`. The message may end up in a log. */
function hideSecrets(text: string): string {
  return text.replace(/^(unknown option '-[^'=]*)=.*'(?=\n\(|$)/s, "$1'").replaceAll(/swk_\w+/g, "swk_…");
}

/** Commander starts with a small letter, puts a suggestion in parentheses on a second line, and may omit the period. */
function asSentence(text: string): string {
  const capitalized = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const sentence = capitalized.replace(/\n\((Did you mean .*\?)\)$/, ". $1");
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}
