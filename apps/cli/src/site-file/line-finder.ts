import type { TextPart } from "./cut-site-file.ts";

/** Finds the lines of places in a part, which come in the order of its text, so that each line break is seen once. */
export class LineFinder {
  readonly #text: string;
  #offset = 0;
  /** The next line break. It is not searched again for each value of a long line. */
  #lineBreak: number;
  #line: number;

  constructor({ text, line }: TextPart) {
    this.#text = text;
    this.#lineBreak = this.#findLineBreak();
    this.#line = line;
  }

  /** The line of the last place. */
  get line(): number {
    return this.#line;
  }

  /** Returns the line of a place; that of the last one if it is before that, such as -1 for what has no place. */
  lineAt(offset: number): number {
    while (this.#lineBreak < offset) {
      this.#offset = this.#lineBreak + 1;
      this.#lineBreak = this.#findLineBreak();
      this.#line += 1;
    }
    return this.#line;
  }

  /** Returns the next line that starts with a mark. */
  lineOfNext(mark: string): number {
    const found = this.#text.indexOf(`\n${mark}`, this.#offset);
    return found === -1 ? this.#line : this.lineAt(found + 1);
  }

  #findLineBreak(): number {
    const found = this.#text.indexOf("\n", this.#offset);
    return found === -1 ? Number.POSITIVE_INFINITY : found;
  }
}
