#!/usr/bin/env node
import { keepCompileCache } from "../dist/compile-cache.js";

// Before anything else is loaded, so that it need not be compiled.
keepCompileCache(process);
await import("../dist/main.js");
