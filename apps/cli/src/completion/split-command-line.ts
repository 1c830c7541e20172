/**
 * Splits the command line of a POSIX shell into words, as far as the cursor, and removes their quotes. Nothing is expanded: a
 * `$` stays as it is. The last word is empty if the line ends with a space. A quote can still be open.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words = [""];
  let isInWord = false;
  for (const [part] of line.matchAll(/\s+|'[^']*'?|"(?:\\.|[^"\\])*"?|\\.?|[^\s'"\\]+/gs)) {
    if (/^\s/.test(part)) {
      if (isInWord) words.push("");
      isInWord = false;
    } else {
      words[words.length - 1] += unquote(part);
      isInWord = true;
    }
  }
  return words;
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.slice(1).replace(/'$/, "");
  if (part.startsWith('"'))
    return part
      .slice(1)
      .replace(/(?<!\\)"$/, "")
      .replaceAll(/\\(["\\$`])/g, "$1");
  return part.startsWith("\\") ? part.slice(1) : part;
}
