/** Preloaded into a run of the CLI. Prints the built-in modules that the run loaded on stderr, one per line. */
process.on("exit", () => {
  // Node's types lack this property, which its own tests use.
  const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
  process.stderr.write(moduleLoadList.join("\n"));
});
