/* The graders' queue: the last grade of a round leads here, and its draft goes. */

import { dropGraded } from "./form.js";

dropGraded(document.querySelector(".review.queue").dataset);
