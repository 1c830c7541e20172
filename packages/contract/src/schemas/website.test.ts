import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { findPasswordFault } from "../website-password.ts";
import { createWebsiteBody, updateWebsiteBody, website } from "./website.ts";

const domain = "example.com";
const password = "correct horse";

describe("create website: form fields (docs/interface.md, sections 2 and 4)", () => {
  test("a body with only a domain gets the default of every other field, and no password", () => {
    expect(create({ domain })).toEqual({
      domain,
      privacy: 0,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: [],
    });
  });

  describe("domain: a domain, no default", () => {
    test("is stored in canonical form", () => {
      expect(create({ domain: " Bücher.Example. " })).toMatchObject({ domain: "xn--bcher-kva.example" });
    });

    test.each([
      [undefined, 'is required; send a host name such as "example.com"'],
      ["", 'is empty; send a host name such as "example.com"'],
      ["https://example.com/", 'contains a scheme; send "example.com"'],
      [7, 'is 7; send a host name such as "example.com"'],
      [null, 'is null; send a host name such as "example.com"'],
      [{ name: domain }, 'is an object; send a host name such as "example.com"'],
      [[domain, domain], 'was sent more than once or as an array; send it once, as a host name such as "example.com"'],
    ])("%j is refused", (value, message) => {
      expect(refuseCreate({ domain: value })).toEqual({ domain: [message] });
    });
  });

  describe("privacy: 0, 1 or 2, by default 0", () => {
    test.each([0, 1, 2])("%i is accepted as a number and as a string of a form", (privacy) => {
      const secret = privacy === 2 ? { password } : {};
      expect(create({ domain, privacy, ...secret })).toMatchObject({ privacy });
      expect(create({ domain, privacy: String(privacy), ...secret })).toMatchObject({ privacy });
    });

    refuseChoices("privacy", "0 (Public), 1 (Private) or 2 (Password)", 3);
  });

  describe.each([
    ["email", 0],
    ["exclude_bots", 1],
  ] as const)("%s: 0 or 1, by default %i", (field, byDefault) => {
    test.each([0, 1])("%i is accepted as a number and as a string of a form", (value) => {
      expect(create({ domain, [field]: value })).toMatchObject({ [field]: value });
      expect(create({ domain, [field]: String(value) })).toMatchObject({ [field]: value });
    });

    test("is the default if it is not sent", () => {
      expect(create({ domain })).toMatchObject({ [field]: byDefault });
    });

    refuseChoices(field, "0 (Disabled) or 1 (Enabled)", 2);
  });

  describe("password: used when privacy is 2, no default", () => {
    test.each([
      ["8 characters", "12345678"],
      ["256 characters", "p".repeat(256)],
      ["8 characters beyond the basic plane", "🦊".repeat(8)],
      ["256 characters beyond the basic plane", "🦊".repeat(256)],
      ["whitespace, which is kept", "  pass word  "],
    ])("%s are accepted with privacy 2", (_what, text) => {
      expect(create({ domain, privacy: 2, password: text })).toMatchObject({ password: text });
    });

    test("an empty one counts as not sent", () => {
      expect(create({ domain, password: "" })).toEqual(create({ domain }));
    });

    test.each([
      ["too short", { privacy: 2, password: "1234567" }, ["is 7 characters long; send 8 to 256 characters"]],
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
        "too long in characters beyond the basic plane",
        { privacy: 2, password: "🦊".repeat(257) },
        ["is 257 characters long; send 8 to 256 characters"],
      ],
      [
        "left out with privacy 2",
        { privacy: 2 },
        ["is required if privacy is 2; send a string of 8 to 256 characters"],
      ],
      [
        "empty with privacy 2",
        { privacy: "2", password: "" },
        ["is required if privacy is 2; send a string of 8 to 256 characters"],
      ],
      [
        "sent with privacy 0 by default",
        { password },
        ["is not allowed if privacy is 0, because it would protect nothing; send privacy 2 too, or omit the password"],
      ],
      [
        "sent with privacy 1",
        { privacy: 1, password },
        ["is not allowed if privacy is 1, because it would protect nothing; send privacy 2 too, or omit the password"],
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
    test.each([
      ["a string with one entry per line", "utm_*\ngclid"],
      ["a comma-separated string", "utm_*, gclid"],
      ["an array of strings", ["utm_*", "gclid"]],
    ])("%s is accepted", (_what, value) => {
      expect(create({ domain, exclude_params: value })).toMatchObject({ exclude_params: ["utm_*", "gclid"] });
    });

    refuseLists("exclude_params");

    test("an invalid entry is refused with its line", () => {
      expect(refuseCreate({ domain, exclude_params: "gclid\na=b" })).toEqual({
        exclude_params: ['line 2: "a=b" contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"'],
      });
    });
  });

  describe("exclude_ips: no default", () => {
    test("entries are stored in canonical form", () => {
      const value = "203.0.113.9/24\r\n2001:DB8::1, ::ffff:203.0.113.7";
      expect(create({ domain, exclude_ips: value })).toMatchObject({
        exclude_ips: ["203.0.113.0/24", "2001:db8::1", "203.0.113.7"],
      });
    });

    refuseLists("exclude_ips");

    test("every invalid entry is refused with its line", () => {
      const { exclude_ips: messages } = refuseCreate({ domain, exclude_ips: "203.0.113.7\nx\n1.2.3.4/99" });
      expect(messages).toEqual([
        expect.stringMatching(/^line 2: "x" is not an IP address or network; send a value such as/),
        'line 3: "1.2.3.4/99" has the prefix length "99"; send a whole number from 0 to 32',
      ]);
    });
  });

  test("every invalid field is named at once, including the missing password", () => {
    const body = { domain: "x", privacy: 2, email: 5, exclude_bots: "", exclude_params: "*", exclude_ips: "y", foo: 1 };
    expect(Object.keys(refuseCreate(body)).sort()).toEqual([
      "domain",
      "email",
      "exclude_bots",
      "exclude_ips",
      "exclude_params",
      "foo",
      "password",
    ]);
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

  test.each([null, "domain=example.com", [], 7])("a body that is %j is refused", (body) => {
    expect(refuseCreate(body)).toEqual({ "": ["must be a JSON object"] });
  });
});

describe("update website: form fields (docs/interface.md, sections 2 and 4)", () => {
  test("an empty body changes nothing, and no field gets a default", () => {
    expect(updateWebsiteBody.parse({})).toEqual({});
  });

  test.each([
    [{ privacy: "0" }, { privacy: 0 }],
    [{ privacy: 1 }, { privacy: 1 }],
    [
      { privacy: "2", password },
      { privacy: 2, password },
    ],
    [{ privacy: 2 }, { privacy: 2 }],
    [{ password }, { password }],
    [{ email: "1" }, { email: 1 }],
    [{ email: 0 }, { email: 0 }],
    [{ exclude_bots: "0" }, { exclude_bots: 0 }],
    [{ exclude_bots: 1 }, { exclude_bots: 1 }],
    [{ exclude_params: "utm_*\ngclid" }, { exclude_params: ["utm_*", "gclid"] }],
    [{ exclude_ips: ["203.0.113.9/24"] }, { exclude_ips: ["203.0.113.0/24"] }],
  ])("%j changes only that", (body, change) => {
    expect(updateWebsiteBody.parse(body)).toEqual(change);
  });

  test.each([{ exclude_params: "" }, { exclude_params: [] }])("%j clears the list", (body) => {
    expect(updateWebsiteBody.parse(body)).toEqual({ exclude_params: [] });
  });

  test("an empty password counts as not sent", () => {
    expect(updateWebsiteBody.parse({ password: "" }).password).toBeUndefined();
  });

  test("domain is refused with a message of its own, and is not among the known fields", () => {
    expect(refuse(updateWebsiteBody, { domain })).toEqual({
      domain: ["cannot be changed; create a website with the new domain and delete this one"],
    });
    expect(refuse(updateWebsiteBody, { id: 7 })).toEqual({
      id: ["is unknown; send only privacy, password, email, exclude_bots, exclude_params, exclude_ips"],
    });
  });

  test.each([
    [{ privacy: 3 }, { privacy: ["is 3; send 0 (Public), 1 (Private) or 2 (Password)"] }],
    [{ email: "yes" }, { email: ['is "yes"; send 0 (Disabled) or 1 (Enabled)'] }],
    [{ exclude_bots: 2 }, { exclude_bots: ["is 2; send 0 (Disabled) or 1 (Enabled)"] }],
    [{ password: "short" }, { password: ["is 5 characters long; send 8 to 256 characters"] }],
  ])("%j is refused", (body, errors) => {
    expect(refuse(updateWebsiteBody, body)).toEqual(errors);
  });
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

function refuseCreate(body: unknown): Record<string, string[]> {
  return refuse(createWebsiteBody, body);
}

/** Returns the messages by field, as the server collects them. */
function refuse(schema: z.ZodType, body: unknown): Record<string, string[]> {
  const { error } = schema.safeParse(body);
  const errors: Record<string, string[]> = {};
  for (const issue of error?.issues ?? []) {
    const fields = issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0] ?? "")];
    for (const field of fields)
      errors[field] = [...(Object.hasOwn(errors, field) ? (errors[field] ?? []) : []), issue.message];
  }
  return errors;
}
