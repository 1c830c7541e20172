/** What each request is answered with if nothing is conditional, and the resource that it is about. */
export const requests = {
  "GET record": { method: "GET", resource: "record", status: 200 },
  "HEAD record": { method: "HEAD", resource: "record", status: 200 },
  "PUT record": { method: "PUT", resource: "record", status: 200 },
  "DELETE record": { method: "DELETE", resource: "record", status: 204 },
  "GET list": { method: "GET", resource: "list", status: 200 },
  "GET account": { method: "GET", resource: "account", status: 200 },
} as const;

/** The status of each request. */
type Statuses = { readonly [Name in keyof typeof requests]: number };

const all = (status: number): Statuses => ({
  "GET record": status,
  "HEAD record": status,
  "PUT record": status,
  "DELETE record": status,
  "GET list": status,
  "GET account": status,
});
const done = { ...all(200), "DELETE record": 204 };
const excluded = { ...all(304), "PUT record": 412, "DELETE record": 412 };
/** The entity tags of a list and of an account are weak, so `If-Match` never matches them. */
const doneIfStrong = { ...done, "GET list": 412, "GET account": 412 };

/** The values of the two headers, made from the current entity tag, and the status that each request gets with them. */
export const cells: ReadonlyArray<
  readonly [value: string, make: (tag: string) => string, ifMatch: Statuses, ifNoneMatch: Statuses]
> = [
  ["the current tag", (tag) => tag, doneIfStrong, excluded],
  ["another tag", () => '"9-9"', all(412), done],
  ["the current tag as a weak one", (tag) => (tag.startsWith("W/") ? tag : `W/${tag}`), all(412), excluded],
  ["a list with the current tag", (tag) => `"9-9", ,\t${tag}`, doneIfStrong, excluded],
  ["a list without the current tag", () => '"9-9",W/"9-8",', all(412), done],
  ["*", () => "*", done, excluded],
  ["a tag without quotes", (tag) => tag.replaceAll('"', ""), all(400), all(400)],
  ["the current tag next to something else", (tag) => `${tag} x`, all(400), all(400)],
  ["* in a list", (tag) => `*, ${tag}`, all(400), all(400)],
  ["nothing", () => "", all(400), all(400)],
  ["a list of empty elements", () => ", ,", all(400), all(400)],
  ["65 tags", (tag) => Array(65).fill(tag).join(","), all(400), all(400)],
];
