import { expect, test } from "vitest";
import { collectWebsites } from "./collect-websites.ts";

test("after a thousand problems, only the first one of each line is listed, and valid lines are still read", () => {
  const websites = collectWebsites({ allowsPassword: true });
  const place = (number: number) => ({ unit: "line", number }) as const;
  for (let number = 1; number <= 600; number += 1) {
    websites.accept({ place: place(number), fields: { domain: `a${number}.example`, foo: 1, bar: 2 } });
  }
  websites.accept({ place: place(601), fields: { domain: "b.example" } });
  const { entries, refused } = websites.finish();
  expect(entries.map(({ domain }) => domain)).toEqual(["b.example"]);
  expect(refused).toHaveLength(600);
  expect(refused.filter(({ reason }) => reason?.includes('"foo"'))).toHaveLength(600);
  expect(refused.filter(({ reason }) => reason?.includes('"bar"'))).toHaveLength(500);
});
