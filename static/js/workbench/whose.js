// A marketplace gives the id of a returned assignment to the next worker. Posted with the work, the worker's
// id says whose it is, so that nobody is asked; it was in this page's address and goes nowhere else.

export function sayWhose(form) {
  const given = new URLSearchParams(location.search);
  const worker = given.get("workerId") ?? given.get("amp;workerId");
  if (!form || !worker || form.elements.workerId) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "workerId", value: worker });
  form.append(field);
}
