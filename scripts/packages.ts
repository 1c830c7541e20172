import "./tarballs.ts";
import { printMissingPrograms, runKept } from "./run-kept.ts";

/** `pnpm test:packages [name…]`: packs what is published, and tests it as its users install it. */
await runKept("Testing the packages", ["--root", "packages/e2e/packages", ...process.argv.slice(2)]);
printMissingPrograms();
