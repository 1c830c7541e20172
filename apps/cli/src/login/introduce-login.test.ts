import { expect, test } from "vitest";
import { introduceLogin } from "./introduce-login.ts";

const target = {
  profile: "work",
  baseUrl: "https://siteward.example.com",
  isDefaultUrl: false,
  replacedUrl: undefined,
};

test("a first login says where the key goes and who creates keys", () => {
  expect(introduceLogin(target)).toEqual([
    'Logging in to https://siteward.example.com, as profile "work".',
    "The operator of the service creates keys, with `siteward-server keys create`.",
  ]);
});

test("a login again says what it replaces", () => {
  const lines = introduceLogin({ ...target, replacedUrl: "https://old.example.com" });
  expect(lines[1]).toBe("This replaces the stored key of the profile, which is for https://old.example.com.");
});

test("a login to the default URL says how to choose another service", () => {
  expect(introduceLogin({ ...target, isDefaultUrl: true })[0]).toMatch(/For another service, pass --base-url\.$/);
});
