// After a plain post: goes on to the marketplace by itself, once. Who comes back by the Back button decides alone.

const [visit] = performance.getEntriesByType("navigation");
const form = document.querySelector("[data-marketplace][data-at-once]");
if (form && visit?.type !== "back_forward") form.submit();
