"use strict";

process.on("exit", failIfUnfinished);
void start();

async function start() {
  const { keepCompileCache } = await import("../dist/compile-cache.js");
  // Before anything else is loaded, so that it need not be compiled.
  keepCompileCache();
  await import("../dist/main.js");
  process.off("exit", failIfUnfinished);
}

/** Node does the same for an entry point that is a module: it fails if it still waits, but nothing is left to run. */
function failIfUnfinished() {
  process.exitCode ??= 13;
}
