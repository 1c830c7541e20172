import { expect, test } from "vitest";
import { clientOf, findRows } from "./filter.ts";

const rows = [
  row(1, "shop.client.example", { exclude_ips: ["203.0.113.0/24", "2001:db8::/32"], exclude_params: ["utm_*"] }),
  row(2, "xn--bcher-kva.example", { exclude_ips: ["203.0.113.7"], privacy: 1 }),
  row(3, "www.client.example", { exclude_params: ["gclid"] }),
];

test.for([
  ["", [3, 2, 1]],
  ["sort=asc", [1, 2, 3]],
  ["search=https://www.CLIENT.example/a?b", [3, 1]],
  ["search=büch", [2]],
  ["privacy=1", [2]],
  ["privacy=7&email=x&ask=nothing&page=9", [3, 2, 1]],
  // One entry must contain all of it.
  ["ask=exclude_ips&entry=203.0.113.7", [2, 1]],
  ["ask=exclude_ips&entry=203.0.113.0/25", [1]],
  ["ask=-exclude_ips&entry=2001:db8:1::/48", [3, 2]],
  ["ask=exclude_params&entry=utm_source", [1]],
  ["ask=-exclude_params&entry=utm_", [3, 2]],
  ["ask=exclude_params&entry=GCLID", []],
  ["group=client", [3, 1, 2]],
] as const)("%s finds the websites that the URL asks for, in its order", ([query, expected]) => {
  const { found, fault } = findRows(rows, new URLSearchParams(query));
  expect([found.map(({ id }) => id), fault]).toEqual([expected, ""]);
});

test("what is no address is said, and asks nothing", () => {
  const { found, fault } = findRows(rows, new URLSearchParams("entry=203.0.113&privacy=0"));
  expect([found.map(({ id }) => id), fault]).toEqual([[3, 1], expect.stringContaining("“203.0.113” is not an IP")]);
});

test("a client is the domain that somebody registered", () => {
  expect(["shop.client.co.uk", "a.b.client.de", "client.com", "com.de"].map(clientOf)).toEqual([
    "client.co.uk",
    "client.de",
    "client.com",
    "com.de",
  ]);
});

function row(id: number, domain: string, some: Partial<Parameters<typeof findRows>[0][number]> = {}) {
  const settings = { privacy: 0, email: 0, exclude_bots: 1, exclude_ips: [], exclude_params: [] } as const;
  return { id, domain, has_password: false, created_at: "", updated_at: "", ...settings, ...some };
}
