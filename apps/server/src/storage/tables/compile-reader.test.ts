import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { compileReader } from "./compile-reader.ts";

const program = `
  import { compileReader } from ${JSON.stringify(new URL("./compile-reader.ts", import.meta.url).href)};
  const read = compileReader([{ name: "id", show: undefined }, { name: "has password", show: Boolean }]);
  const canCompile = (() => { try { return Boolean(new Function("")); } catch { return false; } })();
  process.stdout.write(JSON.stringify([canCompile, read([0, 7, 1], 1), read([8, null], 0)]));
`;

describe("a compiled reader", () => {
  it("reads each field by its position, converts it, and returns the fields in order", () => {
    const read = compileReader([
      { name: "id", show: undefined },
      { name: "has password", show: Boolean },
    ]);
    expect(Object.entries(read([0, 7, 1], 1))).toEqual([
      ["id", 7],
      ["has password", true],
    ]);
  });

  it.each([[[]], [["--disallow-code-generation-from-strings"]]])(
    "reads the same values in a process started with %j",
    (flags) => {
      const output = execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
        encoding: "utf8",
      });
      expect(JSON.parse(output)).toEqual([
        flags.length === 0,
        { id: 7, "has password": true },
        { id: 8, "has password": false },
      ]);
    },
  );
});
