"use strict";
// Without this script everything on the page can be read; with it, conversations are shown one at a time.

// Conversations: names are tabs, moved through with the arrow keys.
function browse(browser) {
  const names = [...browser.querySelectorAll(".names a")];
  const panels = [...browser.querySelectorAll(".conversation")];
  const list = browser.querySelector(".names");
  browser.classList.add("browsing");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-orientation", "vertical");
  list.setAttribute("aria-label", "conversations");
  function select(number, { focus = false } = {}) {
    names.forEach((name, at) => {
      name.setAttribute("aria-selected", String(at === number));
      name.tabIndex = at === number ? 0 : -1;
      panels[at].hidden = at !== number;
    });
    if (focus) names[number].focus();
  }
  names.forEach((name, at) => {
    name.parentElement.setAttribute("role", "presentation");
    name.setAttribute("role", "tab");
    name.id = `${panels[at].id}-tab`;
    name.setAttribute("aria-controls", panels[at].id);
    panels[at].setAttribute("role", "tabpanel");
    panels[at].setAttribute("aria-labelledby", name.id);
    name.addEventListener("click", (event) => {
      event.preventDefault();
      select(at, { focus: true });
    });
    name.addEventListener("keydown", (event) => {
      const last = names.length - 1;
      const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
      if (to === undefined && event.key !== " ") return;
      event.preventDefault();
      select(to ?? at, { focus: true });
    });
  });
  browser.select = select;
  browser.find = (wanted) => panels.findIndex((panel) => panel.dataset.name === wanted);
  if (names.length) select(0);
}

// A finding leads to its conversation where the page shows it; `name[:3]` is shown whole.
function link(place) {
  const browser = document.querySelector(`#${place.dataset.audit}-conversations .browser`);
  const whole = place.dataset.conversation.replace(/\[:\d+\]$/, "");
  const number = browser ? browser.find(whole) : -1;
  if (number < 0) return;
  const anchor = document.createElement("a");
  anchor.href = `#${place.dataset.audit}-conversations`;
  anchor.textContent = place.textContent;
  anchor.addEventListener("click", (event) => {
    event.preventDefault();
    browser.select(number, { focus: true });
    browser.scrollIntoView({ block: "start" });
  });
  place.replaceChildren(anchor);
}

// What an address leads to is opened, whatever it is folded into.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let folded = target.closest("details"); folded; folded = folded.parentElement.closest("details")) folded.open = true;
  target.scrollIntoView({ block: target.matches(".source li") ? "center" : "start" });
}

document.querySelectorAll(".browser").forEach(browse);
document.querySelectorAll("[data-conversation]").forEach(link);
document.querySelectorAll(".switches").forEach((switches) => {
  switches.hidden = false;
  switches.querySelectorAll("input").forEach((input) => {
    const say = () => switches.parentElement.classList.toggle(`no-${input.dataset.shows}`, !input.checked);
    input.addEventListener("change", say);
    say();
  });
});
window.addEventListener("hashchange", reveal);
reveal();
