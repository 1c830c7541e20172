import type { Account } from "@siteward/sdk";
import type { Column } from "./view.ts";

/** How an account is shown. A field without a column here does not compile. */
export const accountView = {
  id: { title: "ID", inList: true },
  name: { title: "Name", inList: true },
  email: { title: "E-mail", inList: true },
  "websites.count": { title: "Websites", inList: true },
  "websites.limit": {
    title: "Website limit",
    inList: true,
    show: (value) => (value === null ? "none" : String(value)),
  },
  created_at: { title: "Created", inList: true },
  updated_at: { title: "Updated", inList: false },
  "api_key.name": { title: "Key name", inList: true },
  "api_key.prefix": { title: "Key prefix", inList: true },
  "api_key.scopes": { title: "Key scopes", inList: true, show: (value) => String(value).replaceAll(",", ", ") },
  "api_key.created_at": { title: "Key created", inList: true },
  "api_key.expires_at": { title: "Key expires", inList: true, show: showTimeOrNever },
  "api_key.last_used_at": { title: "Key last used", inList: true, show: showTimeOrNever },
} satisfies Record<LeafPath<Account>, Column>;

function showTimeOrNever(value: unknown): string {
  return String(value ?? "never");
}

/** The names of all fields that have a value. The name of a nested field contains dots. */
type LeafPath<Shape> = {
  [Key in keyof Shape & string]: Shape[Key] extends readonly unknown[] | string | number | boolean | null | undefined
    ? Key
    : `${Key}.${LeafPath<Shape[Key]>}`;
}[keyof Shape & string];
