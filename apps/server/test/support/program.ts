import { fileURLToPath } from "node:url";

/**
 * The built program. It starts with a quarter of the processor time that its sources need, and tests start it about a thousand
 * times. `support/build-program.ts` builds it before the tests.
 */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
