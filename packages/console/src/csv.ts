import type { Siteward, Website } from "@siteward/sdk";
import type { Version } from "./version.ts";
import { many } from "./words.ts";

const columns = [
  ...(["id", "domain", "privacy", "has_password", "email", "exclude_bots", "exclude_params"] as const),
  ...(["exclude_ips", "created_at", "updated_at"] as const),
];

/** Saves websites as a file that `siteward import` reads: those that are selected, or all that match the search. */
export async function downloadCsv(
  client: Siteward,
  search: string,
  picked: readonly Version[],
  onNotice: (text: string) => void,
): Promise<void> {
  const lines = [columns.join(",")];
  const add = (website: Website) => lines.push(columns.map((column) => toCell(website[column])).join(","));
  for (const { website } of picked) add(website);
  const query = { ...(search !== "" && { search }), sort_by: "domain", sort: "asc" } as const;
  if (picked.length === 0) {
    for await (const { data } of client.websites.list(query).pages()) {
      data.forEach(add);
      onNotice(`${many(lines.length - 1)} read …`);
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" }));
  link.download = "websites.csv";
  link.click();
  URL.revokeObjectURL(link.href);
  onNotice(`${many(lines.length - 1)} exported to websites.csv.`);
}

/** An apostrophe keeps a spreadsheet from running a cell as a formula. The import removes it again. */
function toCell(value: unknown): string {
  const plain = Array.isArray(value) ? value.join(",") : String(value);
  const text = /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
