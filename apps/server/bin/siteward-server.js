#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Compiled once per version and machine instead of at each start; where the cache cannot be kept, nothing is lost.
enableCompileCache();
await import("../dist/main.js");
