/** The result of parsing a string: its canonical form, or what is wrong with it and what to send instead. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };
