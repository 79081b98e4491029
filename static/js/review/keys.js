/* Keys: single letters outside text fields, the same letters with Alt anywhere. Can be switched off. */

const SWITCH = "review:single-keys";

export const singleKeys = {
  get on() {
    try {
      return window.localStorage.getItem(SWITCH) !== "off";
    } catch {
      return true;
    }
  },
  set on(value) {
    try {
      window.localStorage.setItem(SWITCH, value ? "on" : "off");
    } catch { /* storage is off: on until the page is left */ }
  },
};

export function isTextField(element) {
  return element.matches?.("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");
}

/** `actions`: by letter, "digit" with the number (10 to 18 with Shift), "confirm" for Ctrl+Enter, "help" for ?. */
export function listen(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const typing = isTextField(event.target);
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") return run(event, actions.confirm);
    if (event.ctrlKey || event.metaKey) return;
    if (typing && event.key === "Escape") return run(event, () => event.target.blur());
    if (!event.altKey && (typing || !singleKeys.on)) return;
    // With Alt or Shift a keyboard types other signs: then the key's place counts.
    const digit = /^Digit([1-9])$/.exec(event.code);
    if (digit) return run(event, () => actions.digit(Number(digit[1]) + (event.shiftKey ? 9 : 0), event.target));
    if (event.key === "?") return run(event, actions.help);
    const letter = event.altKey ? event.code.replace("Key", "").toLowerCase() : event.key.toLowerCase();
    if (!event.repeat || letter === "u") run(event, actions[letter]);
  });
}

function run(event, action) {
  if (!action) return;
  event.preventDefault();
  action();
}
