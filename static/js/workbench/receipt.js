// After a plain post: goes on to the marketplace by itself, once. Who comes back by the Back button decides alone.

import { sayWhose } from "./whose.js";

const [visit] = performance.getEntriesByType("navigation");
sayWhose(document.querySelector("[data-marketplace]"));
const form = document.querySelector("[data-marketplace][data-at-once]");
if (form && visit?.type !== "back_forward") form.submit();
