import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { recordIo } from "../../test/support/recorded-io.ts";
import { readSecretFromFile, readSecretFromStdin } from "./read-secret.ts";

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
    ["nothing", [Buffer.from("\n")], "received no input"],
    ["two lines", [Buffer.from("one\ntwo\n")], "received more than one line"],
    ["Latin-1, which would become another secret", [Buffer.from("passwörd", "latin1")], "is not UTF-8"],
    ["UTF-16", [Buffer.from("\u{feff}password", "utf16le")], "is UTF-16"],
  ])("%s is refused", async (_input, chunks, problem) => {
    await expect(read(...chunks)).rejects.toThrow(problem);
  });

  test("without an end is refused after 1 MiB", async () => {
    const stdin = Readable.from(endless());
    const secret = readSecretFromStdin({ ...recordIo().io, stdin }, "--password-stdin");
    await expect(secret).rejects.toThrow("The input of --password-stdin is larger than 1 MiB.");
  });
});

test.runIf(process.platform === "linux")("a device without an end is refused as a file", async () => {
  await expect(readSecretFromFile("/dev/zero", "--api-key-file")).rejects.toThrow("larger than 1 MiB");
});

test("a file that cannot be read is refused with its flag", async () => {
  await expect(readSecretFromFile(import.meta.dirname, "--api-key-file")).rejects.toThrow(
    /^Cannot read the file of --api-key-file, .+: illegal operation on a directory\.$/,
  );
});
