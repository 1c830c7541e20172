import { tryRows } from "./support/try-rows.ts";

tryRows("sqlite");
