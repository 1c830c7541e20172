import { defineProject } from "vitest/config";

export default defineProject({ test: { name: "bench", testTimeout: 120_000, hookTimeout: 120_000 } });
