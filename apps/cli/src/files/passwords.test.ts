import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPassword } from "./passwords.ts";

describe("readPassword", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "siteward-cli-"));
    await writeFile(join(folder, "right.txt"), "correct horse\r\n");
    await writeFile(join(folder, "short.txt"), "short\n");
    await writeFile(join(folder, "lines.txt"), "correct\nhorse\n");
    await writeFile(join(folder, "longest.txt"), `${"🐴".repeat(256)}\r\n`);
    await writeFile(join(folder, "latin1.txt"), Buffer.from("caf\u00e9 caf\u00e9", "latin1"));
    await writeFile(join(folder, "too-long.txt"), `${"🐴".repeat(257)}\r\n`);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("reads a variable, and a file relative to the file that names it, without the line break at its end", async () => {
    const io = { env: { SHOP_PASSWORD: "correct horse" } };
    const path = join(folder, "websites.csv");
    const right = { ok: true, value: "correct horse" };
    expect(await readPassword({ env: "SHOP_PASSWORD" }, io, path)).toEqual(right);
    expect(await readPassword({ file: "right.txt" }, io, path)).toEqual(right);
    expect(await readPassword({ file: join(folder, "right.txt") }, io, "/websites.csv")).toEqual(right);
    expect(await readPassword({ value: "correct horse" }, io, path)).toEqual(right);
    expect(await readPassword({ file: "longest.txt" }, io, path)).toEqual({ ok: true, value: "🐴".repeat(256) });
  });

  test.each([
    [{ env: "SHOP_PASSWORD" }, "password_env: the environment variable SHOP_PASSWORD is not set"],
    [{ env: "EMPTY" }, "password_env: the environment variable EMPTY is not set"],
    [{ env: "SHORT" }, "password_env: the value of SHORT is 6 characters long; send 8 to 256 characters"],
    [{ file: "short.txt" }, 'password_file: "short.txt" is 5 characters long; send 8 to 256 characters'],
    [{ file: "too-long.txt" }, 'password_file: "too-long.txt" is 257 characters long; send 8 to 256 characters'],
    [{ file: "latin1.txt" }, 'password_file: "latin1.txt" is not UTF-8; save it as UTF-8'],
    [{ file: "lines.txt" }, 'password_file: "lines.txt" has more than one line'],
    [{ value: "secret" }, "password is 6 characters long; send 8 to 256 characters"],
  ])("says what is wrong without the password: %j", async (source, reason) => {
    expect(await readPassword(source, { env: { EMPTY: "", SHORT: "secret" } }, join(folder, "websites.csv"))).toEqual({
      ok: false,
      reason,
    });
  });

  test("names a file that cannot be read, and reads only the start of one that never ends", async () => {
    expect(await readPassword({ file: "missing.txt" }, { env: {} }, join(folder, "websites.csv"))).toEqual({
      ok: false,
      reason: expect.stringMatching(/^password_file: "missing.txt" cannot be read: no such file or directory$/),
    });
    expect(await readPassword({ file: "/dev/zero" }, { env: {} }, join(folder, "websites.csv"))).toMatchObject({
      ok: false,
    });
  });
});
