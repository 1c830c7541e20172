import { describe, expect, test } from "vitest";
import { readSiteFile } from "./read-site-file.ts";

/** Returns each problem as `line: domain: problem`. */
async function problemsOf(text: string): Promise<readonly string[]> {
  const { problems } = await readSiteFile(text);
  return problems.map(({ place, domain, problem }) => `${[place.number, domain ?? []].flat().join(": ")}: ${problem}`);
}

describe("a problem", () => {
  test("is found in a file that grows without bound from aliases to aliases, and each of its lists is read once", async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items =
        level === 0
          ? "a.example"
          : Array<string>(10)
              .fill(`*l${level - 1}`)
              .join(", ");
      return `x-${level}: &l${level} [${items}]`;
    });
    const problems = await problemsOf(["version: 1", ...levels, "websites: *l11"].join("\n"));
    expect(problems).toEqual(Array(10).fill('14: is not a website; write a domain, or a mapping with "domain:"'));
  });

  test("is found past the limit of values that aliases repeat, of anchors, of fields, and of websites", async () => {
    const office = `x-office: &office [${Array.from({ length: 499 }, (_, index) => `10.0.${index >> 8}.${index & 255}`).join(", ")}]`;
    const repeated = Array.from({ length: 2_001 }, (_, index) => `- {domain: a${index}.example, exclude_ips: *office}`);
    const anchors = Array.from({ length: 10_001 }, (_, index) => `- &a${index} a${index}.example`);
    const websites = Array.from({ length: 100_001 }, (_, index) => `- a${index}.example`);
    expect(await problemsOf([office, "version: 1", "websites:", ...repeated].join("\n"))).toEqual([
      "2004: has an alias past the limit of 1,000,000 repeated values; state what most websites share in defaults, " +
        "or split the file",
    ]);
    expect(await problemsOf(["version: 1", "websites:", ...anchors].join("\n"))).toEqual([
      "10003: has more than 10,000 anchors; split the file",
    ]);
    const fields = Array.from({ length: 10_001 }, (_, index) => `  f${index}: 1`);
    expect(await problemsOf(["version: 1", "x-fields:", ...fields, "websites: []"].join("\n"))).toEqual([
      "10003: is past the limit of 10,000 fields of a mapping; a website needs seven, so remove the others",
    ]);
    expect(await problemsOf(["version: 1", "websites:", ...websites].join("\n"))).toEqual([
      "100003: is past the limit of 100,000 websites; split the file",
    ]);
  });

  test("is found where too many values are not items of the list of websites", async () => {
    const problem =
      "is past the limit of 225,000 values outside of a list of websites; write each website on lines of its own that start " +
      "with a dash, as `siteward export` does";
    expect(await problemsOf(`version: 1\nwebsites: [${"a,".repeat(250_000)}`)).toEqual([`2: ${problem}`]);
    expect(await problemsOf(`version: 1\nwebsites:\n- a.example:\n${"  - a\n".repeat(150_000)}`)).toEqual([
      expect.stringMatching(/^11\d{4}: is past the limit of 225,000 values/),
    ]);
  });

  test.each(["{a: b},", "a: b,", '"a":b,', "[[a]],"])(
    "is found earlier if the values are lists or mappings, which take more memory: %s",
    async (item) => {
      const problems = await problemsOf(`version: 1\nwebsites: [${item.repeat(57_000)}`);
      expect(problems).toEqual([expect.stringMatching(/^2: is past the limit of 225,000 values/)]);
    },
  );

  test("is found in brackets with too many websites, in the line of the first one that is, before any of them is read", async () => {
    const lines = Array.from({ length: 11 }, () => "/,".repeat(10_000));
    expect(
      await problemsOf(["version: 1", "websites: [", ...lines.map((line) => `  ${line}`), "  ]"].join("\n")),
    ).toEqual(["13: is past the limit of 100,000 websites; split the file"]);
  });

  test("is one of a thousand, so that what is listed has a bound; an import gets at least one of each website", async () => {
    const items = Array.from({ length: 600 }, (_, index) => `- {domain: a${index}.example, foo: 1, bar: 2}`);
    const text = ["version: 1", "websites:", ...items].join("\n");
    const problems = await problemsOf(text);
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toBe(
      "502: is the last line that was read, because of the problems before it; fix these, and check the file again",
    );
    expect((await readSiteFile(text, { isTolerant: true })).problems).toHaveLength(1_100);
  });

  test("is listed by its line, also where reading stops within a website of several lines", async () => {
    const items = Array.from({ length: 600 }, (_, index) => `- domain: a${index}.example\n  email: 7\n  foo: 1`);
    const problems = await problemsOf(["version: 1", "defaults: {}", "websites:", ...items].join("\n"));
    const lines = problems.map((problem) => Number.parseInt(problem, 10));
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(problems.at(-1)).toMatch(/^1503: is the last line that was read/);
  });

  test("is the nesting of a file that is past other limits too", async () => {
    const nested = "1: has lists or mappings that are nested more than 32 deep; a website needs 4 levels";
    for (const text of ["[".repeat(300_000), "[".repeat(8 * 1024 * 1024 + 1), "{a: ".repeat(300_000)]) {
      expect(await problemsOf(text)).toEqual([nested]);
    }
  });

  const passwords = Array.from({ length: 3_000 }, (_, index) => `- {domain: a${index}.example, password_env: A}`);
  const list = ["version: 1", "websites:", ...passwords];
  const last =
    "1002: is the last line that was read, because of the problems before it; fix these, and check the file again";

  test.each([
    ["there are none", list],
    ["these are below the list", [...list, "defaults: {privacy: private}"]],
    ["these are below the list and wrong", [...list, "defaults: {privacy: 7}"]],
  ])("is one of a thousand also if only the defaults say that it is one: %s", async (_what, lines) => {
    const problems = await problemsOf(lines.join("\n"));
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toBe(last);
  });

  test("is listed together with those of the defaults above it", async () => {
    const problems = await problemsOf(["defaults: {privacy: 7}", ...list].join("\n"));
    expect(problems).toHaveLength(1_002);
    expect(problems[0]).toBe('1: privacy is "7"; send public, private or password (0, 1 or 2)');
  });

  test("is found later if an anchor of the list is in the defaults below it", async () => {
    const anchored = ["version: 1", "websites:", "- &a {domain: a.example, privacy: private}", ...passwords];
    const problems = await problemsOf([...anchored, "defaults: {<<: *a}"].join("\n"));
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toBe(
      "1004: is the first line with problems that are not listed; fix those before it, and check the file again",
    );
  });

  test("in the list is found before one in the syntax of what is below it", async () => {
    expect(await problemsOf("version: 1\nwebsites:\n- a: b: c\nx-a: }\n")).toEqual([
      expect.stringMatching(/^3: is not valid YAML/),
    ]);
  });

  test("is found in a part that is too long", async () => {
    expect(await problemsOf(`version: 1\nwebsites: [${" ".repeat(8 * 1024 * 1024)}]`)).toEqual([
      expect.stringMatching(
        /^1: is past the limit of 8 MiB outside of a list of websites; write each website on lines/,
      ),
    ]);
  });
});
