import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { runProgram } from "./run-program.ts";

describe("a database that is newer than the program", () => {
  test.for(["migrate", "start --port 0", "accounts list"])(
    "%s refuses it, names both versions and exits with 1",
    async (line) => {
      await using database = await engines.sqlite();
      const environment = { DATABASE_URL: database.databaseUrl };
      await runProgram(["migrate"], environment);
      using other = new DatabaseSync(database.databaseUrl.slice("file:".length));
      other.exec("insert into schema_migrations (version, name, applied_at) values (9999, 'later', 0)");
      const result = await runProgram(line.split(" "), environment);
      expect(result).toMatchObject({ exitCode: 1, stdout: "" });
      expect(result.stderr.trim().split("\n")).toEqual([
        expect.stringMatching(/version 9999 .* up to \d+; run the newer/),
      ]);
    },
  );
});
