import { describe, expect, test } from "vitest";
import { createWebsiteBody } from "./website.ts";

const domain = "example.com";
const password = "correct horse";

/** What a caller of the API notices of a create and an update, the guarantees say (packages/e2e/test/guarantees). */
describe("create website: form fields (docs/interface.md, sections 2 and 4)", () => {
  describe("privacy: 0, 1 or 2", () => refuseChoices("privacy", "0 (Public), 1 (Private) or 2 (Password)", 3));
  describe("email: 0 or 1", () => refuseChoices("email", "0 (Disabled) or 1 (Enabled)", 2));
  describe("exclude_params: a list", () => refuseLists("exclude_params"));
  describe("exclude_ips: a list", () => refuseLists("exclude_ips"));

  test.each([
    ["too short in characters, if not in code units", "🦊".repeat(7), "is 7 characters long; send 8 to 256 characters"],
    ["too long by far", "🦊".repeat(16_000), "is 16000 characters long; send 8 to 256 characters"],
    [
      "sent twice",
      [password, password],
      "was sent more than once or as an array; send it once, as a string of 8 to 256 characters",
    ],
  ])("a password that is %s is refused", (_what, sent, message) => {
    expect(refuseCreate({ domain, privacy: 2, password: sent })).toEqual({ password: [message] });
  });
});

/** Tests the refusals that are the same for all fields with a few whole numbers. */
function refuseChoices(field: string, expected: string, beyond: number): void {
  test.each([
    [beyond, `is ${beyond}; send ${expected}`],
    [String(beyond), `is ${beyond}; send ${expected}`],
    [-1, `is -1; send ${expected}`],
    ["-1", `is "-1"; send ${expected}`],
    [0.5, `is 0.5; send ${expected}`],
    ["01", `is "01"; send ${expected}`],
    [" 1", `is " 1"; send ${expected}`],
    ["1.0", `is "1.0"; send ${expected}`],
    ["", `is empty; send ${expected}`],
    [true, `is true; send ${expected}`],
    [null, `is null; send ${expected}`],
    ["x".repeat(99), `is "${"x".repeat(60)}…"; send ${expected}`],
    [["1", "1"], `was sent more than once or as an array; send it once, as ${expected}`],
  ])("%j is refused", (value, message) => {
    expect(refuseCreate({ domain, [field]: value })).toEqual({ [field]: [message] });
  });
}

/** Tests what is the same for both list fields. */
function refuseLists(field: string): void {
  const expected = "send an array of strings, or a string with entries separated by commas or line breaks";

  test.each([[""], [[]], ["\n"]])("%j is an empty list", (value) => {
    expect(create({ domain, [field]: value })).toMatchObject({ [field]: [] });
  });

  test("an array of 30,000 numbers is refused in one issue", () => {
    const { error } = createWebsiteBody.safeParse({ domain, [field]: Array<number>(30_000).fill(1) });
    const message = `contains an entry that is not a string; ${expected}`;
    expect(error?.issues).toEqual([{ code: "custom", path: [field], message }]);
  });

  test.each([
    [7, `is 7; ${expected}`],
    [null, `is null; ${expected}`],
    [{ 0: "a" }, `is an object; ${expected}`],
    [["a", 7], `contains an entry that is not a string; ${expected}`],
    [[...Array<string>(500).fill("a"), 7], `contains an entry that is not a string; ${expected}`],
    [[["a"]], `contains an entry that is not a string; ${expected}`],
  ])("%j is refused", (value, message) => {
    expect(refuseCreate({ domain, [field]: value })).toEqual({ [field]: [message] });
  });
}

function create(body: unknown) {
  return createWebsiteBody.parse(body);
}

/** Returns the messages by field, as the server collects them. */
function refuseCreate(body: unknown): Record<string, string[]> {
  const { error } = createWebsiteBody.safeParse(body);
  const errors: Record<string, string[]> = {};
  for (const issue of error?.issues ?? []) {
    const fields = issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0] ?? "")];
    for (const field of fields)
      errors[field] = [...(Object.hasOwn(errors, field) ? (errors[field] ?? []) : []), issue.message];
  }
  return errors;
}
