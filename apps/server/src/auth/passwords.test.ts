import { argon2Sync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashPassword } from "./passwords.ts";

const phc = /^\$argon2id\$v=19\$m=7168,t=5,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

describe("the hash of a password", () => {
  test("is a PHC string of Argon2id with OWASP's parameters, and verifies the password", async () => {
    const [, salt = "", tag = ""] = phc.exec(await hashPassword("correct horse")) ?? [];
    const parameters = { nonce: Buffer.from(salt, "base64"), memory: 7_168, passes: 5, parallelism: 1, tagLength: 32 };
    const again = argon2Sync("argon2id", { message: "correct horse", ...parameters });
    expect(again.toString("base64").replace(/=+$/, "")).toBe(tag);
  });

  test("has a new salt every time", async () => {
    const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
    expect(first).not.toBe(second);
  });

  test("is computed off the main thread", async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    await Promise.all(Array.from({ length: 8 }, () => hashPassword("correct horse")));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });
});
