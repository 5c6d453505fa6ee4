// editor.js - a text with line numbers, and what is wrong with it beside the line where it is.
import { el } from "../../viewer/page/src/dom.js";

const LINE = 18; // px, as in playground.css
const INDENT = "  ";

export class Editor {
  constructor(onChange, onRun) {
    this.area = el("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "the scene" });
    this.numbers = el("pre", { class: "numbers", "aria-hidden": "true" });
    this.mark = el("div", { class: "mark", hidden: true, role: "alert" });
    this.band = el("div", { class: "band", hidden: true }); // behind the line that is wrong
    this.element = el("div", { class: "editor" }, this.numbers, el("div", { class: "text" }, this.band, this.area, this.mark));
    this.area.addEventListener("input", () => {
      this.count();
      onChange();
    });
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => this.onKey(event, onRun));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.scrollTop = 0;
    this.area.scrollLeft = 0;
    this.say("");
    this.count();
  }

  count() {
    const lines = this.area.value.split("\n").length;
    if (lines === this.lines) return;
    this.lines = lines;
    this.numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
  }

  follow() {
    this.numbers.style.transform = `translateY(${-this.area.scrollTop}px)`;
    this.band.hidden = !this.line;
    if (!this.line) return;
    const below = 6 + LINE * this.line - this.area.scrollTop;
    this.mark.style.top = `${below}px`;
    this.band.style.top = `${below - LINE}px`;
  }

  onKey(event, onRun) {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    }
    // Tab writes; Escape first, and it moves on, as elsewhere
    if (event.key === "Escape") this.area.blur();
    if (event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      document.execCommand("insertText", false, INDENT);
    }
  }

  // Below the line, where the sentence names one that there is; else at the end of the text. "" takes it away.
  say(sentence, line = 0) {
    this.mark.hidden = !sentence;
    this.mark.textContent = sentence;
    this.line = sentence ? Math.min(Math.max(line, 0), this.lines) : 0;
    this.mark.classList.toggle("whole", this.line === 0);
    this.mark.style.top = "";
    if (this.line > 0) {
      const top = LINE * (this.line - 1);
      const { scrollTop, clientHeight } = this.area;
      if (document.activeElement !== this.area && (top < scrollTop || top > scrollTop + clientHeight - 4 * LINE)) this.area.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.follow();
  }
}
