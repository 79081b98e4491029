// On every page of the desk: what went wrong gets the focus, times are read in the reader's own zone.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });

export function localTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    time.title = format.format(new Date(time.dateTime));
  }
}

localTimes(document);
document.querySelector("[data-focus]")?.focus();

// On a phone the tabs scroll: the one we are on is in sight.
const tabs = document.querySelector(".tabs");
const current = tabs?.querySelector("[aria-current]");
if (current) tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
