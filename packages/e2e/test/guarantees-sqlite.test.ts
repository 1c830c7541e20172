import { startServerService } from "@siteward/testing/services/server-service";
import { subjectsOfServer } from "./guarantees/subjects.ts";
import { tryGuarantees } from "./guarantees/try-guarantees.ts";

tryGuarantees(() => startServerService("sqlite"), subjectsOfServer);
