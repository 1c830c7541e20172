/** What a grammar makes of a text: its canonical form, or the reason why there is none and what to send instead. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };
