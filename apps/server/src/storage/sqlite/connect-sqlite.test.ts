import { describe, expect, it } from "vitest";
import { requireSafeEngine } from "./connect-sqlite.ts";

describe("requireSafeEngine", () => {
  it.each(["3.51.3", "3.51.10", "3.53.0", "4.0.0"])("accepts %s", (version) => {
    expect(() => requireSafeEngine(version)).not.toThrow();
  });

  it.each(["3.51.2", "3.50.10", "3.9.9"])("refuses %s and says which versions are safe", (version) => {
    expect(() => requireSafeEngine(version)).toThrow(
      `SQLite ${version}, which can damage a database. Use a Node.js with SQLite 3.51.3 or later.`,
    );
  });
});
