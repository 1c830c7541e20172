import type { Candidate } from "./position.ts";
import type { CompletionRequest } from "./request.ts";
import type { Shell } from "./shells.ts";

/** What can follow. A shell completes files itself. */
export type Answer =
  | { readonly kind: "file" }
  /** In a list, another entry can follow, so the shell adds no space. */
  | { readonly kind: "word" | "list"; readonly candidates: readonly Candidate[] };

/** More than a screen shows. */
const maxCandidates = 1_000;

/**
 * Formats an answer for the script of a shell: its kind on the first line, then a candidate on each line, for all shells but
 * bash with a tab and what it means. A candidate is a whole word. Those with a control character are omitted, so that each
 * line is what it seems to be.
 */
export function formatAnswer(answer: Answer, { shell, words, breaks }: CompletionRequest): string {
  if (answer.kind === "file") return "file\n";
  const start = replacedFrom(words.at(-1) ?? "", breaks);
  const lines = withLonger(answer, shell)
    .filter(({ value }) => value !== "" && !hasControlCharacter(value))
    .slice(0, maxCandidates)
    .map(({ value, description }) =>
      shell === "bash" ? value.slice(start) : `${value}\t${hasControlCharacter(description) ? "" : description}`,
    );
  return [answer.kind, ...lines, ""].join("\n");
}

/** fish adds a space after the only candidate, whatever the script says. In a list, two let it stop before the comma. */
function withLonger({ kind, candidates }: Exclude<Answer, { kind: "file" }>, shell: Shell): readonly Candidate[] {
  const [only] = candidates;
  if (shell !== "fish" || kind !== "list" || only === undefined || candidates.length > 1) return candidates;
  return [only, { ...only, value: `${only.value},` }];
}

/** Returns the index of the first character of the word that the shell replaces. */
function replacedFrom(word: string, breaks: string): number {
  return Math.max(-1, ...[...breaks].map((character) => word.lastIndexOf(character))) + 1;
}

function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text);
}
