/** Removes the drawn line from the screen. Undefined while nothing is drawn. */
let erase: (() => void) | undefined;

/**
 * Remembers that a line which must not mix with other output is on the screen, such as a progress bar. A process has one
 * terminal, so there is at most one such line.
 *
 * @param eraseLine removes the line from the screen
 */
export function setDrawnLine(eraseLine: () => void): void {
  erase = eraseLine;
}

/** Removes the drawn line, if there is one. Call it before any other text is written to the terminal. */
export function eraseDrawnLine(): void {
  const eraseLine = erase;
  erase = undefined;
  eraseLine?.();
}
