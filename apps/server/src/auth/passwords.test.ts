import { argon2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { hashPassword } from "./passwords.ts";

const phc = /^\$argon2id\$v=19\$m=7168,t=5,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

test("the hash of a password is a PHC string of Argon2id with OWASP's parameters and a new salt, and verifies the password, however its letters are composed", async () => {
  const [first = "", second] = await Promise.all([hashPassword("corre\u0301ct horse"), hashPassword("corréct horse")]);
  const [, salt = "", tag = ""] = phc.exec(first) ?? [];
  const parameters = { nonce: Buffer.from(salt, "base64"), memory: 7_168, passes: 5, parallelism: 1, tagLength: 32 };
  const again = argon2Sync("argon2id", { message: "corréct horse", ...parameters });
  expect(again.toString("base64").replace(/=+$/, "")).toBe(tag);
  expect(second).not.toContain(salt);
});
