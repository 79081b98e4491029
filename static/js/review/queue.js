/* The queue: the last decision of a round leads here, and its draft goes. */

import { dropDecided } from "./form.js";

dropDecided(document.querySelector(".review.queue").dataset);
