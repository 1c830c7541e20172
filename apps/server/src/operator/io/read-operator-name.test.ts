import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { readOperatorName } from "./read-operator-name.ts";

const nameless = () => {
  throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT");
};

test("the operator is the user of the operating system", () => {
  expect(readOperatorName(userInfo, 0)).toBe(userInfo().username);
});

test("a user without a name is named by number", () => {
  expect(readOperatorName(nameless, 1234)).toBe("uid:1234");
  expect(readOperatorName(nameless, undefined)).toBe("unknown");
});
