import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editAt, readJson } from "./json.ts";
import { readParameters } from "./parameters.ts";

/** Each text is made of its parts, so what it is after an edit is known without reading it. */
describe("of 10,000 random texts, an edit replaces the value and keeps every other byte:", () => {
  const runs = { numRuns: 10_000 };
  const unit = fc.constantFrom(..."aé%+=? /\\\"';[]{},:~0\u{1f600}\n", "%7e", "%zz", "%C3%A9");
  const anyText = fc.string({ unit, maxLength: 8 });
  const others = fc.array(
    anyText.map((text) => `x${text}`),
    { maxLength: 5 },
  );
  const spaces = fc.string({ unit: fc.constantFrom(..." \t\r\n"), maxLength: 2 });
  const values = fc.oneof(fc.json(), fc.constantFrom('"\\u00e9\\/\\\\"', "-1.50e+5", "[ ]", '{"url" : "https://a/"}'));

  test.each(["first", "last"] as const)("the %s parameter of a query or a form", (which) => {
    const own = fc.tuple(fc.constantFrom("url=", "%75rl=", "u%72%6C=", "+url="), anyText);
    const property = fc.property(others, own, others, own, others, anyText, (before, one, between, two, after, to) => {
      const write = (...[first, second]: string[][]) =>
        [...before, first?.join(""), ...between, second?.join(""), ...after].join("&");
      const parameters = readParameters(write(one, two), which);
      expect(parameters.text).toBe(write(one, two));
      parameters.set("url", to);
      const set = (own: string[]) => [own[0] ?? "", encodeURIComponent(to)];
      expect(parameters.text).toBe(which === "first" ? write(set(one), two) : write(one, set(two)));
      expect(parameters.get("url")).toBe(to);
    });
    fc.assert(property, runs);
  });

  test("a field of JSON, which can also be removed", () => {
    const members = fc.array(fc.tuple(spaces, anyText, spaces, spaces, values, spaces), { maxLength: 4 });
    const property = fc.property(
      members,
      members,
      members,
      values,
      anyText.map((text) => text.replaceAll(/[^ -~\n]/gu, "")),
      spaces,
      (before, inner, after, value, to, space) => {
        const write = (all: (typeof before)[number][]) =>
          all.map(([a, name, b, c, json, d]) => `${a}${JSON.stringify(`x${name}`)}${b}:${c}${json}${d}`);
        const around = (payload: readonly string[]) =>
          `${space}{${[...write(before), `"payload" :${space}{${payload.join(",")}}${space}`, ...write(after)].join(",")}}${space}`;
        const url = (json: string) => [`"\\u0075rl"${space}: ${json}${space}`, ...write(inner)];
        const read = () => readJson(around(url(value)));
        expect(read().text).toBe(around(url(value)));
        const [changed, removed] = [read(), read()];
        changed.set("payload.url", to);
        expect(changed.text).toBe(around(url(JSON.stringify(to))));
        removed.set("payload.url", undefined);
        expect(removed.text).toBe(around(write(inner)));
      },
    );
    fc.assert(property, runs);
  });

  test("the elements of an array that are kept", () => {
    const elements = fc.array(fc.tuple(spaces, values, spaces, fc.boolean()), { maxLength: 6 });
    const property = fc.property(elements, spaces, (all, space) => {
      const write = (some: typeof all) =>
        `${space}[${some.map((parts) => parts.slice(0, 3).join("")).join(",")}]${space}`;
      const kept = all.map(([, , , isKept]) => isKept);
      const keep = (value: string) => (kept.shift() ? value : undefined);
      expect(editAt(write(all), ["*"], keep)).toBe(write(all.filter(([, , , isKept]) => isKept)));
    });
    fc.assert(property, runs);
  });
});

test("more parameters than PHP reads are refused, since it takes the first of them", () => {
  expect(readParameters(`url=a${"&b".repeat(999)}`).get("url")).toBe("a");
  expect(() => readParameters(`url=a${"&b".repeat(999)}&url=c`)).toThrow(RangeError);
});
