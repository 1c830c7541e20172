import { fieldsOf } from "@siteward/sdk/bulk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { choices, lists, type Settings } from "../words/settings.ts";
import { compare, type Model, planOf, toModel } from "./compare.ts";
import type { Row } from "./websites.ts";

test("websites that differ alike are one group, most alike first, and one that loses a password is not alike", () => {
  const rows = [row(1), row(2, { privacy: 2 }), row(3), row(4, { privacy: 1, email: 1 })];
  const { groups } = compare(toModel(""), row(5, { privacy: 1 }), [...rows, row(5, { privacy: 1 })]);
  expect(groups.map(ids)).toEqual([[1, 3], [2], [4]]);
});

test("neither the order of entries nor how they are written differs, and an empty list is not compared", () => {
  const stored = ["198.51.100.0/24", "203.0.113.7", "2001:db8::/32"];
  const rows = [stored, stored.toReversed(), ["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.1"]].map(
    (exclude_ips, id) => row(id, { exclude_ips, exclude_params: ["ref"] }),
  );
  const texts = { exclude_ips: " 203.0.113.7/32,\n2001:DB8:0::/32\r\n198.51.100.9/24", exclude_params: " " };
  expect(compare(pasted(texts), undefined, rows).groups.map(ids)).toEqual([[2, 3]]);
  expect(compare(pasted({ ...texts, exclude_params: "a=b" }), undefined, rows).groups).toEqual([]);
});

test("a model with a password leaves privacy alone, as does one that does not compare it", () => {
  const rows = [row(1), row(2, { privacy: 1, email: 1 })];
  const differing = [{ rows: [rows[0]], edit: { set: { email: 1 } } }];
  expect(compare(toModel(""), row(3, { privacy: 2, email: 1 }), rows).groups).toMatchObject(differing);
  const model = { ...toModel(""), compared: { email: true } };
  expect(compare(model, row(4, { privacy: 1, email: 1 }), rows).groups).toMatchObject(differing);
});

test("an exception gets no change, and neither opens nor loses anything", () => {
  const rows = [row(1, { privacy: 1 }), row(2, { privacy: 1 }), row(3, { privacy: 2 }), row(4)];
  const found = compare(toModel(""), row(4), rows);
  expect(planOf(found, new Set())).toMatchObject({
    differ: 3,
    exposed: { opened: { length: 3 }, passwords: ["site3.example"] },
  });
  const plan = { differ: 3, exposed: { opened: ["site2.example"], passwords: [] }, changes: [{ id: 2 }] };
  expect(planOf(found, new Set([1, 3, 4]))).toMatchObject(plan);
});

test("what is sent makes a website what the model is, exactly or at least, and keeps what others add meanwhile", () => {
  const bit = fc.constantFrom(0, 1);
  const exclude_ips = fc.shuffledSubarray(["192.0.2.1", "192.0.2.0/24", "2001:db8::/32"]);
  const exclude_params = fc.shuffledSubarray(["utm_*", "gclid", "ref"]);
  const any = fc.record({ privacy: bit, email: bit, exclude_bots: bit, exclude_ips, exclude_params });
  const check = (wanted: Settings, one: Settings, isExact: boolean) => {
    const website = row(1, one);
    const { groups } = compare({ ...toModel(""), isExact }, row(2, wanted), [row(1, one)]);
    const { edit } = groups[0] ?? { edit: {} };
    const after = { ...website, ...fieldsOf(edit, website) };
    for (const { field } of choices) expect(after[field]).toBe(wanted[field]);
    for (const { field } of lists) {
      expect(new Set(after[field])).toEqual(new Set(isExact ? wanted[field] : [...one[field], ...wanted[field]]));
      const theirs = fieldsOf(edit, { ...website, [field]: [...one[field], "theirs"] });
      expect(theirs[field] ?? ["theirs"]).toContain("theirs");
    }
  };
  fc.assert(fc.property(any, any, fc.boolean(), check));
});

function row(id: number, some: Partial<Settings> = {}) {
  const known = { id, domain: `site${id}.example`, created_at: "", updated_at: "", has_password: some.privacy === 2 };
  const [exclude_ips, exclude_params] = [[...(some.exclude_ips ?? [])], [...(some.exclude_params ?? [])]];
  return { privacy: 0, email: 0, exclude_bots: 1, ...some, ...known, exclude_ips, exclude_params } as const;
}

const pasted = (texts: Model["texts"]): Model => ({ ...toModel(""), isPasted: true, texts });
const ids = ({ rows }: { readonly rows: readonly Row[] }) => rows.map(({ id }) => id);
