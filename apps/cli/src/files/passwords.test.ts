import { join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "../../test/support/cli-test.ts";
import { readPassword } from "./passwords.ts";

describe("a password", () => {
  test("has up to 256 characters in its file, without the line break at the end", async ({ folder }) => {
    await folder.write("longest.txt", `${"🐴".repeat(256)}\r\n`);
    const read = await readPassword({ file: "longest.txt" }, { env: {} }, join(folder.path, "websites.csv"));
    expect(read).toEqual({ ok: true, value: "🐴".repeat(256) });
  });

  test.for([
    ["short.txt", "short\n", "is 5 characters long; send 8 to 256 characters"],
    ["too-long.txt", `${"🐴".repeat(257)}\r\n`, "is 257 characters long; send 8 to 256 characters"],
    ["latin1.txt", Buffer.from("café café", "latin1"), "is not UTF-8; save it as UTF-8"],
    ["lines.txt", "correct\nhorse\n", "has more than one line"],
    ["/dev/zero", "", ""],
  ] as const)("that is not one is described without its text: %s", async ([file, content, problem], { folder }) => {
    if (content.length > 0) await folder.write(file, content);
    const read = await readPassword({ file }, { env: {} }, join(folder.path, "websites.csv"));
    expect(read).toEqual({ ok: false, reason: expect.stringContaining(`password_file: "${file}" ${problem}`) });
  });

  test("that is empty in its variable is not set, and one of the file itself has its length checked", async () => {
    const io = { env: { EMPTY: "" } };
    const reason = "password_env: the environment variable EMPTY is not set";
    expect(await readPassword({ env: "EMPTY" }, io, "-")).toEqual({ ok: false, reason });
    const short = "password is 6 characters long; send 8 to 256 characters";
    expect(await readPassword({ value: "secret" }, io, "-")).toEqual({ ok: false, reason: short });
  });
});
