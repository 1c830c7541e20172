import type { Row } from "./websites.ts";

/** Saves websites as a file that `siteward import` reads. */
export function downloadCsv(websites: readonly Row[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv(websites)], { type: "text/csv" }));
  link.download = "websites.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Returns every field of the API, in its order. */
export function toCsv(websites: readonly Row[]): string {
  // The keys of an object are names of its fields.
  const columns = Object.keys(websites[0] ?? {}) as (keyof Row)[];
  const rows = websites.map((website) => columns.map((column) => toCell(website[column])));
  return [columns, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** An apostrophe keeps a spreadsheet from running a cell as a formula. The import removes it again. */
function toCell(value: unknown): string {
  const plain = Array.isArray(value) ? value.join(",") : String(value);
  const text = /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
