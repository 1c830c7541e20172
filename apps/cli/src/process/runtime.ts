/** What the CLI uses of the runtime: its version, and built-in modules that are loaded only if they are needed. */
export type Runtime = Pick<NodeJS.Process, "versions" | "getBuiltinModule">;
