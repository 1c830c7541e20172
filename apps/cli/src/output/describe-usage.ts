import { exitCodes } from "../process/exit-code.ts";
import type { Failure } from "./describe-error.ts";

/**
 * Turns an error of commander into what is printed.
 *
 * @param calledWords the words of the command that was called, such as `siteward websites`
 */
export function describeUsage({ code, message }: Pick<Failure, "code" | "message">, calledWords: string): Failure {
  const text = code === "commander.help" ? "a command is missing" : hideSecrets(message.replace(/^error: /, ""));
  const sentence = asSentence(text);
  const hint = findHint(code, /^Unknown \w+ '([^']*)'/.exec(sentence)?.[1] ?? "", calledWords);
  // Commander suggests what is spelled similarly. A hint knows what is meant.
  const whole = hint === undefined ? sentence : `${sentence.replace(/ Did you mean .*\?$/, "")} ${hint}`;
  return { exitCode: exitCodes.refused, code: "usage", message: whole };
}

const passApiKey = "Pass the API key with --api-key-stdin or --api-key-file, or set SITEWARD_API_KEY.";

/** Options of other programs, most of which would show a secret to other users of the machine. */
const optionHints: ReadonlyMap<string, string> = new Map([
  ["--json", "Use --output json."],
  ["--api-key", passApiKey],
  ["--token", passApiKey],
  ["--password", "Pass the password with --password-stdin."],
]);

/** Returns what to use instead of an option, or how to show a website whose domain or ID is in the place of a command. */
function findHint(code: string, word: string, calledWords: string): string | undefined {
  if (code === "commander.unknownOption") return optionHints.get(word);
  if (code === "commander.excessArguments") return calledWords === "siteward login" ? passApiKey : undefined;
  const mayBeWebsite = code === "commander.unknownCommand" && calledWords !== "siteward profiles";
  if (!mayBeWebsite || !/^(\d+|[\w-]+(\.[\w-]+)+)$/.test(word)) return undefined;
  return `To show this website, use \`siteward websites get ${word}\`.`;
}

/** Removes API keys and the values of unknown options, since the message may end up in a log. */
function hideSecrets(text: string): string {
  return text.replace(/^(unknown option '-[^'=]*)=.*'(?=\n\(|$)/s, "$1'").replaceAll(/swk_\w+/g, "swk_…");
}

/** Commander starts with a small letter, puts a suggestion in parentheses, and may omit the period. */
function asSentence(text: string): string {
  const capitalized = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const sentence = capitalized.replace(/\n\((Did you mean .*\?)\)$/, ". $1");
  return /[.?]$/.test(sentence) ? sentence : `${sentence}.`;
}
