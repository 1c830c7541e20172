import type { Check } from "../check.ts";
import { ok, warning } from "../finding.ts";

/** Whether compiled code is kept between runs, which saves a fifth of the start. */
export const compileCache: Check = {
  run({ environment, runtime: { compileCacheFolder } }) {
    if (compileCacheFolder !== undefined) return [ok(`Compiled code is cached in ${compileCacheFolder}.`)];
    if (environment["NODE_DISABLE_COMPILE_CACHE"]) return [ok("The cache of compiled code is turned off.")];
    return [
      warning(
        "No compiled code is cached, so each start takes a fifth longer: no folder was found that only this user can change.",
        "Set NODE_COMPILE_CACHE to such a folder, or NODE_DISABLE_COMPILE_CACHE=1 if there is to be none.",
      ),
    ];
  },
};
