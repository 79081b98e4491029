// The helper functions that old HTML questions expect (`externalHIT_v1.js`): read the frame's
// parameters, and put the assignment's id into the form before it is handed in.

window.turkGetParam = function (name, otherwise) {
  const found = new URLSearchParams(window.location.search).get(name);
  return found === null ? otherwise : found;
};

window.turkGetSubmitToHost = function () {
  return window.turkGetParam("turkSubmitTo", "");
};

window.turkSetAssignmentID = function (formName, submitName) {
  const form = document.getElementById(formName || "mturk_form");
  const id = window.turkGetParam("assignmentId", "");
  if (form) {
    let field = form.querySelector("input[name=assignmentId]");
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = "assignmentId";
      form.appendChild(field);
    }
    field.value = id;
    form.method = "POST";
  }
  const button = document.getElementById(submitName || "submitButton");
  if (button && id === "ASSIGNMENT_ID_NOT_AVAILABLE") {
    button.disabled = true;
    button.value = "You must ACCEPT the HIT before you can submit the results.";
  }
};
