import type { Siteward, Website } from "@siteward/sdk";
import { readVersions } from "@siteward/sdk/bulk";
import { many } from "../words/text.ts";

const columns = [
  ...(["id", "domain", "privacy", "has_password", "email", "exclude_bots", "exclude_params"] as const),
  ...(["exclude_ips", "created_at", "updated_at"] as const),
];

/** Saves websites as they are now, for `siteward import`: those with these IDs, or all that match. */
export async function downloadCsv(
  client: Siteward,
  search: string,
  ids: ReadonlySet<number>,
  onNotice: (text: string) => void,
): Promise<void> {
  const websites: Website[] = [];
  const onRead = (count: number) => onNotice(`${many(count)} read …`);
  const query = { ...(search !== "" && { search }), sort_by: "domain", sort: "asc" } as const;
  if (ids.size > 0) {
    for (const { website } of (await readVersions(client, { ids }, { onRead })).versions.values())
      websites.push(website);
  } else {
    for await (const { data } of client.websites.list(query).pages()) {
      websites.push(...data);
      onRead(websites.length);
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([toCsv(websites)], { type: "text/csv" }));
  link.download = "websites.csv";
  link.click();
  URL.revokeObjectURL(link.href);
  const gone = ids.size > websites.length ? ` ${many(ids.size - websites.length)} did not exist any more.` : "";
  onNotice(`${many(websites.length)} exported to websites.csv.${gone}`);
}

export function toCsv(websites: readonly Website[]): string {
  const rows = websites.map((website) => columns.map((column) => toCell(website[column])));
  return [columns, ...rows].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** An apostrophe keeps a spreadsheet from running a cell as a formula. The import removes it again. */
function toCell(value: unknown): string {
  const plain = Array.isArray(value) ? value.join(",") : String(value);
  const text = /^'*[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
