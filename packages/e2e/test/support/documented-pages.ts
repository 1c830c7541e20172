import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const repositoryRoot = fileURLToPath(new URL("../../../../", import.meta.url));

/** Every page for users and contributors. */
export const documentedPages: readonly string[] = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs/api.md",
  "docs/backup.md",
  "docs/capacity.md",
  "docs/cli-files.md",
  "docs/cli-plan.md",
  "docs/cli-reference.md",
  "docs/cli-visits.md",
  "docs/decisions.md",
  "docs/deploying.md",
  "docs/interface.md",
  "docs/metrics.md",
  "docs/operating.md",
  "docs/reliability.md",
  "docs/rules.md",
  "docs/scaling.md",
  "packages/contract/README.md",
  "packages/rules/README.md",
  "packages/sdk/README.md",
  "apps/cli/README.md",
  "apps/server/README.md",
  "examples/collector/README.md",
];
