import type { HelpItem, HelpPage } from "./help-page.ts";

/** How to print a page. */
export interface HelpStyle {
  /** At least 20. */
  readonly widthColumns: number;
  readonly color: boolean;
}

/** The least room for descriptions next to their terms. With less, they stand below. */
const minDescriptionWidth = 30;

/** Formats a page for a terminal. No line is wider than that, except for examples, indented lines and words that are. */
export function renderHelp(page: HelpPage, style: HelpStyle): string {
  const lists = Object.entries({
    "Arguments:": page.arguments,
    "Commands:": page.commands,
    "Options:": page.options,
    "Global options:": page.globalOptions,
  });
  const termWidth = Math.max(...lists.flatMap(([, items]) => items.map(({ term }) => term.length)));
  const examples = page.examples.map((line) => `  ${line}`);
  const sections = [
    renderUsage(page.usage, style),
    renderParagraph(page.summary, style),
    ...lists.map(([name, items]) =>
      section(
        name,
        items.map((item) => renderItem(item, termWidth, style)),
        style,
      ),
    ),
    ...page.paragraphs.map((paragraph) => renderParagraph(paragraph, style)),
    section("Examples:", examples, style),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function renderUsage(usage: string, style: HelpStyle): string {
  const name = "Usage:";
  // Escape sequences have no width, so the title gets its own after the text is wrapped.
  const text = wrapText(usage, style.widthColumns, { first: `${name} `, next: "    " });
  return `${title(name, style)}${text.slice(name.length)}`;
}

function section(name: string, lines: readonly string[], style: HelpStyle): string {
  return lines.length === 0 ? "" : [title(name, style), ...lines].join("\n");
}

function title(text: string, { color }: HelpStyle): string {
  return color ? `\u001b[1m${text}\u001b[22m` : text;
}

function renderItem({ term, description }: HelpItem, termWidth: number, { widthColumns }: HelpStyle): string {
  const indent = " ".repeat(termWidth + 4);
  if (widthColumns - indent.length >= minDescriptionWidth) {
    return wrapText(description, widthColumns, { first: `  ${term.padEnd(termWidth)}  `, next: indent });
  }
  const [shownTerm, below] = [wrapText(term, widthColumns, { first: "  ", next: "    " }), "      "];
  return `${shownTerm}\n${wrapText(description, widthColumns, { first: below, next: below })}`;
}

function renderParagraph(text: string, { widthColumns }: HelpStyle): string {
  const lines = text.split("\n");
  const atMargin = { first: "", next: "" };
  return lines.map((line) => (/^\s/.test(line) ? line : wrapText(line, widthColumns, atMargin))).join("\n");
}

/** The indents of the lines of a wrapped text. */
interface Indents {
  /** The start of the first line. */
  readonly first: string;
  /** The start of each further line. */
  readonly next: string;
}

/**
 * Wraps a text at spaces, so that no line is wider than the terminal. A word that does not fit on a line of its own is not
 * broken: terminals wrap it themselves, and it can still be copied. Counts characters, since help is plain text.
 */
function wrapText(text: string, widthColumns: number, { first, next }: Indents): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const start = lines.length === 0 ? first : next;
    if (line === "") line = start + word;
    else if (line.length + 1 + word.length <= widthColumns) line += ` ${word}`;
    else {
      lines.push(line);
      line = next + word;
    }
  }
  return [...lines, line].join("\n");
}
