import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A database on the PostgreSQL server on which tests create databases of their own. */
    postgresUrl: string;
  }
}

/** If the machine crashes, what tests wrote may be lost. */
const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
  "shared_buffers=64MB",
];

/** Starts one PostgreSQL server for all tests, unless `SITEWARD_TEST_POSTGRES_URL` names one. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const named = process.env["SITEWARD_TEST_POSTGRES_URL"];
  if (named !== undefined && named !== "") {
    project.provide("postgresUrl", named);
    return undefined;
  }
  const cluster = await startPostgresCluster({ settings });
  project.provide("postgresUrl", cluster.urlOf("postgres"));
  return async () => {
    await cluster[Symbol.asyncDispose]();
  };
}
