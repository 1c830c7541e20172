import { fileURLToPath } from "node:url";

const inRepository = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** The built programs of this repository. */
export const serverBin = inRepository("apps/server/bin/siteward-server.js");
export const cliBin = inRepository("apps/cli/bin/siteward.js");
export const edgeBin = inRepository("apps/edge/bin/siteward-edge.js");
