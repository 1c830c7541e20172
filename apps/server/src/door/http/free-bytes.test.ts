import { expect, it } from "vitest";
import { freeBytes } from "./free-bytes.ts";

it("frees bytes that have a memory of their own, and leaves those alone that share it with others", () => {
  const own = Buffer.alloc(64 * 1024, "a");
  freeBytes(own);
  expect(own.buffer.byteLength).toBe(0);
  const shared = Buffer.from(new ArrayBuffer(16 * 1024), 0, 8 * 1024);
  freeBytes(shared);
  expect(shared.buffer.byteLength).toBe(16 * 1024);
});
