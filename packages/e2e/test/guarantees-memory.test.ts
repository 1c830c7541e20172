import { openFakeService } from "@siteward/testing/services/fake-service";
import { subjects } from "./guarantees/subjects.ts";
import { tryGuarantees } from "./guarantees/try-guarantees.ts";

// They hold for the fake too, so that it can replace the server in a test.
tryGuarantees(async () => openFakeService(), subjects);
