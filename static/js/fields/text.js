// Free text. Several lines grow with what is typed.

export function mount(element, page) {
  const control = element.querySelector("input, textarea");
  if (control.tagName !== "TEXTAREA") return {};
  const grow = () => {
    control.style.height = "auto";
    control.style.height = `${control.scrollHeight + 2}px`;
  };
  control.addEventListener("input", grow);
  if (control.value) grow();
  return {
    set(values) {
      control.value = values.at(-1) ?? "";
      grow();
    },
  };
}
