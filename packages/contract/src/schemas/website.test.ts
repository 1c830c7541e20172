import { describe, expect, test } from "vitest";
import { findPasswordFault } from "../website-password.ts";
import { createWebsiteBody, website } from "./website.ts";

const domain = "example.com";
const password = "correct horse";

/** What a caller of the API notices of a create and an update, the guarantees say (packages/e2e/test/guarantees). */
describe("create website: form fields (docs/interface.md, sections 2 and 4)", () => {
  describe("domain: a domain, no default", () => {
    test.each([
      [null, 'is null; send a host name such as "example.com"'],
      [{ name: domain }, 'is an object; send a host name such as "example.com"'],
    ])("%j is refused", (value, message) => {
      expect(refuseCreate({ domain: value })).toEqual({ domain: [message] });
    });
  });

  describe("privacy: 0, 1 or 2, by default 0", () => {
    refuseChoices("privacy", "0 (Public), 1 (Private) or 2 (Password)", 3);
  });

  describe.each(["email", "exclude_bots"])("%s: 0 or 1", (field) => {
    refuseChoices(field, "0 (Disabled) or 1 (Enabled)", 2);
  });

  describe("password: used when privacy is 2, no default", () => {
    test.each([
      ["8 characters", "12345678"],
      ["256 characters", "p".repeat(256)],
      ["whitespace, which is kept", "  pass word  "],
    ])("%s are accepted with privacy 2", (_what, text) => {
      expect(create({ domain, privacy: 2, password: text })).toMatchObject({ password: text });
    });

    test.each([
      [
        "too short in characters, if not in code units",
        { privacy: 2, password: "🦊".repeat(7) },
        ["is 7 characters long; send 8 to 256 characters"],
      ],
      ["too long", { privacy: 2, password: "p".repeat(257) }, ["is 257 characters long; send 8 to 256 characters"]],
      [
        "too long by far",
        { privacy: 2, password: "🦊".repeat(16_000) },
        ["is 16000 characters long; send 8 to 256 characters"],
      ],
      [
        "sent twice",
        { privacy: 2, password: [password, password] },
        ["was sent more than once or as an array; send it once, as a string of 8 to 256 characters"],
      ],
    ])("%s is refused", (_what, fields, messages) => {
      expect(refuseCreate({ domain, ...fields })).toEqual({ password: messages });
    });

    test.each([12345678901, [12345678901], { secret: 12345678901 }, "1234567", "12345678901".repeat(30)])(
      "%j is refused in a message that does not repeat it",
      (value) => {
        const messages = JSON.stringify(refuseCreate({ domain, privacy: 2, password: value }));
        expect(messages).toContain("send");
        expect(messages).not.toContain("1234567");
      },
    );
  });

  describe("exclude_params: no default", () => {
    refuseLists("exclude_params");
  });

  describe("exclude_ips: no default", () => {
    refuseLists("exclude_ips");
  });

  test("no message concerns the password if privacy itself is invalid", () => {
    expect(Object.keys(refuseCreate({ domain, privacy: "", password }))).toEqual(["privacy"]);
  });

  test.each(["id", "has_password", "created_at", "Domain", "constructor"])(
    "the unknown field %s is refused, and the message names it",
    (field) => {
      expect(refuseCreate({ domain, [field]: 1 })).toEqual({
        [field]: ["is unknown; send only domain, privacy, password, email, exclude_bots, exclude_params, exclude_ips"],
      });
    },
  );
});

describe("password and resulting privacy (docs/interface.md, section 3)", () => {
  test.each([
    [0, undefined, false, undefined],
    [0, undefined, true, undefined],
    [1, undefined, true, undefined],
    [2, password, false, undefined],
    [2, password, true, undefined],
    [2, undefined, true, undefined],
    [2, undefined, false, "is required if privacy is 2"],
    [0, password, false, "is not allowed if privacy is 0"],
    [1, password, true, "is not allowed if privacy is 1"],
  ] as const)("privacy %i, password %j, one stored: %j", (privacy, sent, hasStoredPassword, fault) => {
    const found = findPasswordFault({ privacy, password: sent, hasStoredPassword });
    expect(found?.slice(0, fault?.length)).toBe(fault);
  });
});

describe("a website record (docs/interface.md, section 2)", () => {
  const record = {
    id: 1,
    domain,
    privacy: 0,
    has_password: false,
    email: 0,
    exclude_bots: 1,
    exclude_params: [],
    exclude_ips: [],
    created_at: "2026-01-15T09:30:00.000Z",
    updated_at: "2026-01-15T09:30:00.000Z",
  };

  test("has every field", () => {
    expect(website.parse(record)).toEqual(record);
  });

  test.each(Object.keys(record))("lacks no %s", (field) => {
    const rest = Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
    expect(website.safeParse(rest).success).toBe(false);
  });

  test.each([
    { password },
    { password_hash: "$argon2id$" },
    { id: 0 },
    { privacy: "0" },
    { created_at: "2026-01-15T09:30:00Z" },
    { created_at: "2026-01-15T09:30:00.000+01:00" },
  ])("never has %j", (fields) => {
    expect(website.safeParse({ ...record, ...fields }).success).toBe(false);
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
