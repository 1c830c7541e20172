import module from "node:module";
import { userInfo } from "node:os";
import { join } from "node:path";

/**
 * Keeps compiled code between runs in the home of the user that the program runs as, whatever `HOME` says, which saves a fifth of the
 * server's start. Node's own choice is a known name below the system's temporary folder: code that another user puts there would run
 * as this user. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` have the meaning that Node gives them.
 */
export function keepCompileCache(): void {
  try {
    module.enableCompileCache(join(userInfo().homedir, ".cache", "siteward"));
  } catch {
    // The user has no home, or this is Deno, which may lack the function: the program starts anyway, only more slowly.
  }
}
