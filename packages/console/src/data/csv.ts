import type { Website } from "@siteward/sdk";
import type { MirroredWebsite } from "@siteward/sdk/mirror";

/** A field of a website that is not here does not compile. */
const columns = Object.keys({
  id: true,
  domain: true,
  privacy: true,
  has_password: true,
  email: true,
  exclude_bots: true,
  exclude_params: true,
  exclude_ips: true,
  created_at: true,
  updated_at: true,
} satisfies Record<keyof Website, true>) as readonly (keyof Website)[];

/** Saves websites as a file that `siteward import` reads. */
export function downloadCsv(websites: readonly MirroredWebsite[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv(websites)], { type: "text/csv" }));
  link.download = "websites.csv";
  link.click();
  URL.revokeObjectURL(link.href);
}

export function toCsv(websites: readonly MirroredWebsite[]): string {
  const rows = websites.map((website) => columns.map((column) => toCell(website[column])));
  return [columns, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** An apostrophe keeps a spreadsheet from running a cell as a formula. The import removes it again. */
function toCell(value: unknown): string {
  const plain = Array.isArray(value) ? value.join(",") : String(value);
  const text = /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
