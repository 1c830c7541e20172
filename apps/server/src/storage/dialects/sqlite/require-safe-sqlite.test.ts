import { describe, expect, it } from "vitest";
import { requireSafeSqlite } from "./require-safe-sqlite.ts";

describe("requireSafeSqlite", () => {
  it.each(["3.51.3", "3.51.10", "3.53.0", "4.0.0"])("accepts %s", (version) => {
    expect(() => requireSafeSqlite(version)).not.toThrow();
  });

  it.each(["3.51.2", "3.50.10", "3.9.9"])("refuses %s and says which versions are safe", (version) => {
    expect(() => requireSafeSqlite(version)).toThrow(
      `SQLite ${version}, which can damage a database. Use a Node.js with SQLite 3.51.3 or later.`,
    );
  });
});
