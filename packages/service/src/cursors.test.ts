import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeListCursor, encodeBase64Url, encodeListCursor, type ListOrder } from "./cursors.ts";

const byId: ListOrder = { sortBy: "id", sort: "desc" };
const position = { key: 7, side: "after" } as const;
const unreadable = "is not a valid cursor";

/** Any character. That of fast-check takes 0.8 s of a processor to build. */
const unit = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0x1_0000, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code));

describe("a cursor", () => {
  test("no search and an empty search are the same list", () => {
    const cursor = encodeListCursor(byId, { direction: "forward", position });
    expect(decodeListCursor(cursor, { ...byId, search: "" })).toEqual({ direction: "forward", position });
  });

  test("of a search belongs to the same search in other letters", () => {
    const cursor = encodeListCursor({ ...byId, search: "Shop" }, { direction: "forward", position });
    expect(decodeListCursor(cursor, { ...byId, search: "sHOP" })).toEqual({ direction: "forward", position });
  });

  test("is refused with a character more, less or changed", () => {
    const cursors = Array.from({ length: 4 }, (_, digits) =>
      encodeListCursor(byId, { direction: "forward", position: { key: 10 ** digits, side: "after" } }),
    );
    for (const cursor of cursors) {
      const others = [..."xgIKA=. "].map((character) => `${cursor}${character}`);
      const last = cursor.charCodeAt(cursor.length - 1);
      others.push(cursor.slice(0, -1), `${cursor.slice(0, -1)}${String.fromCharCode(last + 1)}`, ` ${cursor}`);
      for (const other of others) expect(() => decodeListCursor(other, byId), other).toThrow(unreadable);
    }
  });

  test("any other text is refused as unreadable", () => {
    const texts = fc.oneof(
      fc.string({ unit }),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
      fc
        .array(fc.jsonValue())
        .map((parts) => Buffer.from(JSON.stringify([1, "id.desc", ...parts])).toString("base64url")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(() => decodeListCursor(text, byId)).toThrow(unreadable);
      }),
    );
  });
});

test("the text of a cursor is encoded as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      expect(encodeBase64Url(text)).toBe(Buffer.from(text).toString("base64url"));
    }),
  );
});
