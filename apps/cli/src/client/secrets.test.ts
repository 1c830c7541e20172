import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { recordIo } from "../../test/support/recorded-io.ts";
import { cleanApiKey, readApiKey, readSecretFromStdin } from "./secrets.ts";

function read(...chunks: readonly Buffer[]): Promise<string> {
  return readSecretFromStdin({ ...recordIo().io, stdin: Readable.from(chunks) }, "--password-stdin");
}

/** A stream like `/dev/zero`. */
function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536, "a");
}

describe("a secret from standard input", () => {
  test("is the line that it contains, without a byte order mark", async () => {
    expect(await read(Buffer.from("\u{feff}pass"), Buffer.from("wörd\r\n"))).toBe("passwörd");
  });

  test.each([
    ["nothing", [Buffer.from("\n")], "is empty"],
    ["two lines", [Buffer.from("one\ntwo\n")], "has more than one line"],
    ["Latin-1, which would become another secret", [Buffer.from("passwörd", "latin1")], "is not UTF-8"],
    ["UTF-16", [Buffer.from("\u{feff}password", "utf16le")], "is UTF-16"],
  ])("%s is refused", async (_input, chunks, problem) => {
    await expect(read(...chunks)).rejects.toThrow(problem);
  });

  test("without an end is refused after 64 KiB", async () => {
    const stdin = Readable.from(endless());
    const secret = readSecretFromStdin({ ...recordIo().io, stdin }, "--password-stdin");
    await expect(secret).rejects.toThrow("The input of --password-stdin is larger than 64 KiB.");
  });
});

test("a file that cannot be read is refused with its flag", async () => {
  const flags = { apiKeyFile: import.meta.dirname, input: false, color: false };
  await expect(readApiKey(recordIo().io, flags)).rejects.toThrow(
    /^The file of --api-key-file, .+, cannot be read: illegal operation on a directory\.$/,
  );
});

describe("an API key as people paste it", () => {
  test.each([
    "swk_abc",
    "  swk_abc\r\n",
    '"swk_abc"',
    "`swk_abc`",
    "swk_\nabc",
    "Bearer swk_abc",
    "bearer  swk_abc",
    "Authorization: Bearer swk_abc",
    "'Authorization: Bearer swk_abc'",
    "SITEWARD_API_KEY=swk_abc",
    'export SITEWARD_API_KEY="swk_abc"',
  ])("is found in %j", (text) => {
    expect(cleanApiKey(text)).toBe("swk_abc");
  });

  test.each(["swk_abc+swk_def", "key=swk_abc"])("is not guessed in %j", (text) => {
    expect(cleanApiKey(text)).toBe(text);
  });
});
