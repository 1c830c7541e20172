/** The part of `globalThis` that has the environment: in Node, Bun, Deno and some edge runtimes. */
interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Reads a variable of the runtime's environment. Returns undefined if it is not set, or empty, or cannot be read. */
export function readVariable(name: string): string | undefined {
  try {
    // Its type depends on the runtime, which may have no process.
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch {
    // Deno without --allow-env.
    return undefined;
  }
}
