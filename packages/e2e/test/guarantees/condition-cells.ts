import type { Answer } from "@siteward/testing/answer";
import { expect } from "vitest";
import { accountPath, Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

/** What each request is answered with if nothing is conditional, and the resource that it is about. */
const requests = {
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
const cells: ReadonlyArray<
  readonly [value: string, make: (tag: string) => string, ifMatch: Statuses, ifNoneMatch: Statuses]
> = [
  ["the current tag", (tag) => tag, doneIfStrong, excluded],
  ["another tag", () => '"9-9"', all(412), done],
  ["the current tag as a weak one", (tag) => (tag.startsWith("W/") ? tag : `W/${tag}`), all(412), excluded],
  ["the current tag as Apache sends it compressed", (tag) => tag.replace(/"$/, '-gzip"'), all(412), excluded],
  ["a list with the current tag", (tag) => `"9-9", ,\t${tag}`, doneIfStrong, excluded],
  ["a list without the current tag", () => '"9-9",W/"9-8",', all(412), done],
  ["*", () => "*", done, excluded],
  ["a tag without quotes", (tag) => tag.replaceAll('"', ""), all(400), all(400)],
  ["the current tag next to something else", (tag) => `${tag} x`, all(400), all(400)],
  ["* in a list", (tag) => `*, ${tag}`, all(400), all(400)],
  ["nothing", () => "", all(400), all(400)],
  ["a list of empty elements", () => ", ,", all(400), all(400)],
  ["a weak tag in lower case", (tag) => `w/${tag.replace("W/", "")}`, all(400), all(400)],
  ["a tag with a control character", () => '"a\tb"', all(400), all(400)],
  ["64 tags and empty elements", (tag) => Array(64).fill(tag).join(",, "), doneIfStrong, excluded],
  ["65 tags", (tag) => Array(65).fill(tag).join(","), all(400), all(400)],
];

export const conditionCells: Guarantees = {
  "each form of a condition has the answer of RFC 9110, for each method and resource": async (_, service) => {
    for (const [value, make, ...expected] of cells) {
      const caller = new Caller(service);
      for (const [index, header] of ["If-Match", "If-None-Match"].entries()) {
        const statuses: Record<string, number> = {};
        for (const [name, { method, resource, status }] of Object.entries(requests)) {
          const path = await createResource(caller, resource, `${index}-${name.replace(" ", "-")}.example`);
          const tag = (await caller.get(path)).header("ETag") ?? "";
          const answer = await caller.call(method, path, {
            headers: { [header]: make(tag) },
            ...(method === "PUT" ? { json: { email: 1 } } : {}),
          });
          statuses[name] = answer.status;
          expectBareOrCurrent(answer, tag);
          if (answer.status !== status) expect((await caller.get(path)).header("ETag")).toBe(tag);
        }
        expect([value, header, statuses]).toEqual([value, header, expected[index]]);
      }
    }
  },
};

/** Returns the path of the resource. A website is created if the path is that of a record. */
async function createResource(
  caller: Caller,
  resource: "record" | "list" | "account",
  domain: string,
): Promise<string> {
  if (resource === "list") return websites;
  if (resource === "account") return accountPath;
  return `${websites}/${(await caller.create({ domain })).website.id}`;
}

/** A 304 and a 412 contain the current entity tag. A 304 has nothing about a content, as it has none. */
function expectBareOrCurrent(answer: Answer, tag: string): void {
  if (answer.status !== 304 && answer.status !== 412) return;
  expect(answer.header("ETag")).toBe(tag);
  expect(answer.header("Cache-Control")).toBe("no-store");
  expect(answer.header("X-Request-Id")).not.toBeNull();
  if (answer.status === 412) return;
  expect(answer.text).toBe("");
  expect(answer.header("Content-Type")).toBeNull();
  expect(answer.header("Content-Length")).toBeNull();
}
