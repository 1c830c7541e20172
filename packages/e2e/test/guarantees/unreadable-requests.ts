import { expect } from "vitest";
import { form, json, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const notJson = "it is not valid JSON.";
const twice = "it contains a field twice. Send each field once.";
const prototype = 'it contains a member named "__proto__", or a "constructor" with a "prototype". Remove it.';

/** JSON that is not read, by the reason. */
const brokenJson: Readonly<Record<string, readonly string[]>> = {
  [notJson]: [
    ...["{", '{"domain":"example.com"', '{"domain":"example.com",}', "domain=example.com", "{}{}", "NaN", "\ufeff {}x"],
    ...['{"password":"correct horse"', '{"password":"correct horse" x}'],
  ],
  [twice]: [
    '{"domain":"a.example","domain":"b.example"}',
    '{"domain":"example.com", "\\u0064omain" : "example.org"}',
    '{"a\\":":[],"a\\":":0}',
  ],
  [prototype]: [
    ...['{"__proto__":{"email":1},"domain":"a.example"}', '{"domain":"a.example","\\u005f_proto__":{"privacy":1}}'],
    ...['{"constructor":{"prototype":{}}}', '{"a":{"b":{"constructor":{"prototype":null}}}}'],
    ...['[[{"a":[{"\\u005f_proto__":1}]}]]', '{"a":[{"b":2},{"__proto__":1},{"c":3}]}'],
  ],
};

/** Forms whose percent-encoding is broken, or does not say UTF-8. */
const brokenForms = [
  "domain=%",
  "domain=%zz",
  "domain=%c3%28",
  "domain=%ed%a0%80",
  "domain=example.com&password=%4",
  "domain=%ff%fe.example",
];

export const unreadableRequests: Guarantees = {
  "JSON that cannot be read gets a 400 that says why and does not repeat it, and creates nothing": async (caller) => {
    const bodies = Object.entries(brokenJson).flatMap(([fault, texts]) => texts.map((text) => [fault, text] as const));
    for (const [fault, body] of bodies) {
      const answer = await caller.call("POST", websites, { body, headers: json });
      expect([body, ...answer.refusal, answer.problem.detail]).toEqual([
        ...[body, 400, "malformed_request"],
        `The body could not be read: ${fault}`,
      ]);
      expect(answer.text).not.toMatch(/correct|horse/);
    }
    expect(await caller.count()).toBe(0);
  },
  "a body that is not UTF-8, or whose percent-encoding is broken, gets a 400, and creates nothing": async (caller) => {
    for (const [bytes, headers] of [
      [[0x7b, 0xff, 0x7d], json],
      [[0x22, 0xff, 0x22], json],
      [[0x64, 0x3d, 0xff], form],
    ] as const) {
      const answer = await caller.call("POST", websites, { body: new Uint8Array(bytes), headers });
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[400, "malformed_request", "The body could not be read: it is not UTF-8."],
      ]);
    }
    for (const body of brokenForms) {
      const answer = await caller.call("POST", websites, { body, headers: form });
      expect([body, ...answer.refusal]).toEqual([body, 400, "malformed_request"]);
      expect(answer.problem.detail).toContain("its percent-encoding is invalid or does not decode to UTF-8");
    }
    expect(await caller.count()).toBe(0);
  },
  "a query whose percent-encoding is broken gets a 400": async (caller) => {
    for (const query of ["search=%ff", "search=%zz", "%"]) {
      const answer = await caller.get(`${websites}?${query}`);
      expect([query, ...answer.refusal, answer.problem.detail]).toEqual([
        ...[query, 400, "malformed_request"],
        "The query string could not be read: its percent-encoding is invalid or does not decode to UTF-8. " +
          "Encode it as UTF-8.",
      ]);
    }
  },
};
