// The page of the notebook board: it draws what the model's `view` says, and sends back what was touched.
// Nothing here knows the rules of a game; see board.py.

const SVG = "http://www.w3.org/2000/svg";
const SECONDS = [0.5, 1, 2, 5, 10, 30, 60];
const LEVELS = {
  timed: "perfect, as time allows",
  perfect: "perfect",
  random: "random",
  nobody: "nobody (two people)",
};

/** An element with attributes and children; `on…` attributes are listeners. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** A text as paragraphs; what is set out in columns, or is an example, stays as it is. */
function paragraphs(text) {
  const blocks = (text || "This game comes without a text of its rules.").split(/\n\s*\n/);
  const isProse = (block) => !/^(\s|>>>|=|\||\+)/m.test(block);
  return blocks.map((block) => (isProse(block) ? make("p", {}, ...marked(block)) : make("pre", {}, block)));
}

/** A paragraph with its **strong** and *stressed* words and its `literals`. */
function marked(block) {
  const parts = block.replaceAll("\n", " ").split(/(?<!\w)(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)(?!\w)/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return part;
    const stars = part.startsWith("**") ? 2 : 1;
    return make(part[0] === "`" ? "code" : stars === 2 ? "strong" : "em", {}, part.slice(stars, -stars));
  });
}

function render({ model, el }) {
  const ask = (what, more = {}) => model.send({ do: what, ...more });
  const button = (text, title, act) => make("button", { type: "button", title, onclick: act }, text);

  const status = make("span", { class: "cgt-status", role: "status", "aria-live": "polite" });
  const evaluation = make("span", { class: "cgt-evaluation", "aria-live": "polite" });
  const field = make("div", { class: "cgt-field" });
  const text = make("pre", { class: "cgt-unseen" });
  const said = make("p", { class: "cgt-said", role: "status", "aria-live": "polite" });
  const choices = make("div", { class: "cgt-choices", role: "group", "aria-label": "moves" });
  const undo = button("Undo", "Take back your last move and the reply", () => ask("undo"));
  const hint = button("Hint", "Show a best move, and who wins", () => ask("hint"));
  const resign = button("Resign", "Give up", () => ask("resign"));
  const stop = button("Stop", "End the computer's thinking", () => ask("stop"));
  const goOn = button("Let the computer move", "Ask the computer for its move once more", () => ask("go_on"));
  const save = button("Save", "Download the record of the game", download);
  const typed = make("input", {
    type: "text",
    class: "cgt-typed",
    size: 13,
    placeholder: "or type a move",
    "aria-label": "type a move",
  });
  const form = make(
    "form",
    {
      class: "cgt-form",
      onsubmit(event) {
        event.preventDefault();
        if (typed.value.trim()) ask("move", { move: typed.value });
        typed.value = "";
      },
    },
    typed,
    make("button", { type: "submit", title: "Play the move that is typed" }, "Play"),
  );
  const against = make("select", { onchange: settle });
  const seconds = make("select", { onchange: settle });
  const first = make("select", { onchange: settle });
  const shown = make("input", { type: "checkbox", onchange: () => ask("evaluation", { shown: shown.checked }) });
  const options = make("span", { class: "cgt-options" });
  const again = button("New game", "Begin anew, with these rules", () => ask("new", { rules: chosenRules() }));
  const moves = make("p", { class: "cgt-moves" });
  const rules = make("div", { class: "cgt-rules", tabindex: 0 }, ...paragraphs(model.get("about").rules));
  const force = make("span", { class: "cgt-force" });
  const label = (words, control) => make("label", {}, make("span", {}, words), control);
  const root = make(
    "div",
    { class: "cgt-play", onkeydown: escape },
    make("div", { class: "cgt-head" }, status, evaluation),
    field,
    text,
    said,
    choices,
    make("div", { class: "cgt-tools" }, undo, hint, resign, stop, goOn, form),
    make(
      "div",
      { class: "cgt-tools cgt-settings" },
      label("Opponent", against),
      label("Seconds", seconds),
      label("First", first),
      options,
      again,
    ),
    make("div", { class: "cgt-tools" }, make("label", {}, shown, make("span", {}, "Show who wins")), save, force),
    make("details", {}, make("summary", {}, "Moves"), moves),
    make("details", {}, make("summary", {}, "Rules"), rules),
  );
  el.append(root);

  // --- what is sent ---

  function settle() {
    ask("opponent", { against: against.value, first: first.value, seconds: Number(seconds.value) });
  }

  function chosenRules() {
    const chosen = {};
    for (const control of options.querySelectorAll("select")) chosen[control.name] = JSON.parse(control.value);
    return chosen;
  }

  function escape(event) {
    if (event.key === "Escape" && model.get("view").touched.length) {
      event.stopPropagation();
      ask("clear");
    }
  }

  function download() {
    const { text: content, name, error } = model.get("view").saved;
    if (error) {
      said.textContent = error;
      return;
    }
    const address = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    const link = make("a", { href: address, download: name });
    root.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  // --- the board ---

  let current = null; // the place that Tab goes to

  function drawBoard(view) {
    const focused = root.getRootNode().activeElement;
    const hadFocus = focused !== null && focused !== document.body && root.contains(focused);
    const onBoard = hadFocus && field.contains(focused);
    const [width] = view.size;
    field.innerHTML = view.svg; // from our own program, which escapes all texts
    const svg = field.querySelector("svg");
    const scale = Math.min(1.6, Math.max(1, 480 / width));
    svg.setAttribute("width", width * scale);
    svg.removeAttribute("height");
    svg.setAttribute("role", "group"); // an image would hide the places inside from screen readers
    for (const title of svg.querySelectorAll("title")) title.remove(); // or it would pop up over every place
    const sets = Object.fromEntries(["touched", "next", "hinted"].map((kind) => [kind, new Set(view[kind])]));
    const names = view.places.map(([name]) => name);
    if (!names.includes(current)) current = view.next.find((name) => names.includes(name)) ?? names[0] ?? null;
    for (const [name, x, y, reach, square] of view.places) {
      const shape = document.createElementNS(SVG, square ? "rect" : "circle");
      const attributes = square
        ? { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach, rx: 5 }
        : { cx: x, cy: y, r: reach };
      for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
      const kinds = Object.keys(sets).filter((kind) => sets[kind].has(name));
      shape.setAttribute("class", ["cgt-place", ...kinds.map((kind) => `cgt-${kind}`)].join(" "));
      shape.setAttribute("role", "button");
      const words = { touched: "touched", next: view.touched.length ? "goes on" : "", hinted: "hint" };
      shape.setAttribute("aria-label", [name, ...kinds.map((kind) => words[kind]).filter(Boolean)].join(", "));
      shape.setAttribute("aria-pressed", sets.touched.has(name));
      shape.setAttribute("tabindex", name === current ? 0 : -1);
      shape.dataset.place = name;
      shape.addEventListener("click", () => touch(name));
      shape.addEventListener("keydown", onKey);
      svg.append(shape);
    }
    if (onBoard || (hadFocus && !focused.isConnected)) focusOn(current);
  }

  function touch(name) {
    current = name;
    ask("touch", { place: name });
  }

  function focusOn(name) {
    for (const shape of field.querySelectorAll("[data-place]")) {
      const here = shape.dataset.place === name;
      shape.setAttribute("tabindex", here ? 0 : -1);
      if (here) shape.focus({ preventScroll: true });
    }
    current = name;
  }

  function onKey(event) {
    const name = event.currentTarget.dataset.place;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.stopPropagation();
      touch(name);
      return;
    }
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    const [right, down] = steps[event.key];
    const places = model.get("view").places;
    const [, x, y] = places.find(([other]) => other === name);
    // The nearest place in that direction, where what is off to the side counts as farther.
    let best = null;
    let least = Infinity;
    for (const [other, u, v] of places) {
      const ahead = (u - x) * right + (v - y) * down;
      const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      if (ahead > 1 && ahead + 2.5 * aside < least) [best, least] = [other, ahead + 2.5 * aside];
    }
    if (best !== null) focusOn(best);
  }

  // --- what is shown ---

  function fill(select, values, value) {
    const pairs = values.map(([key, words]) => make("option", { value: key, selected: key === String(value) }, words));
    select.replaceChildren(...pairs);
  }

  let clock = null;
  let searched = ""; // how far the search is
  let asked = -1;

  function update() {
    const view = model.get("view");
    root.classList.toggle("cgt-over", view.over);
    drawBoard(view);
    text.textContent = view.text;
    field.setAttribute("aria-busy", view.todo !== null);
    said.textContent = view.said;
    said.classList.toggle("cgt-mistake", view.mistake);
    evaluation.textContent = [view.evaluation, view.note].filter(Boolean).join(" · ");
    const offered = view.choices.map((move) => button(move, `Play ${move}`, () => ask("move", { move })));
    if (view.more_choices) offered.push(make("span", {}, "and more: type one"));
    choices.replaceChildren(...offered);
    choices.hidden = offered.length === 0;
    hint.disabled = !view.active;
    resign.disabled = view.over;
    undo.disabled = view.moves.length === 0 && !view.over;
    goOn.hidden = !view.stopped;
    stop.hidden = true;
    form.hidden = !view.active;
    const settings = view.settings;
    fill(against, view.levels.map((level) => [level, LEVELS[level] ?? level]), settings.against);
    const times = [...new Set([...SECONDS, settings.seconds])].sort((a, b) => a - b);
    fill(seconds, times.map((time) => [String(time), String(time)]), settings.seconds);
    fill(first, [["me", "you"], ["computer", "computer"]], settings.first);
    first.disabled = settings.against === "nobody";
    shown.checked = settings.evaluation;
    const plain = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));
    const held = JSON.stringify(view.rules);
    if (options.dataset.held !== held) {
      options.dataset.held = held; // what somebody has chosen but not begun stays until the rules change
      options.replaceChildren(
        ...view.rules.map((rule) => {
          const select = make("select", { name: rule.name, title: rule.help });
          fill(select, rule.values.map((value) => [JSON.stringify(value), plain(value)]), JSON.stringify(rule.value));
          return label(rule.name, select);
        }),
      );
    }
    moves.textContent = view.moves.map((move, i) => `${i + 1}. ${move}`).join("  ") || "none yet";
    force.textContent = view.in_force ? `${model.get("about").game}: ${view.in_force}` : model.get("about").game;
    clearInterval(clock);
    status.textContent = view.status;
    root.classList.toggle("cgt-busy", view.todo !== null);
    if (view.todo === null) return;
    const began = Date.now();
    searched = "";
    const doing = {
      reply: "The computer is thinking …",
      hint: "Looking for a hint …",
      evaluate: "Working out who wins …",
    };
    const passing = make("span", { "aria-hidden": "true" }); // a screen reader shall not count the seconds aloud
    (view.todo === "evaluate" ? evaluation : status).replaceChildren(doing[view.todo], passing);
    clock = setInterval(() => {
      const passed = Math.floor((Date.now() - began) / 1000);
      passing.textContent = passed ? ` ${passed} s${searched}` : "";
    }, 500);
    if (asked !== view.step) {
      asked = view.step;
      setTimeout(() => ask("work", { step: view.step }), 40); // first the page shall show that it is at work
    }
  }

  function note(content) {
    if (content?.note) said.textContent = content.note;
    if (content?.progress) searched = `, ${content.progress}`;
    if (content?.stoppable) stop.hidden = model.get("view").todo === null;
  }

  // --- light and dark ---

  const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** Red, green, blue and opacity, each to 255, of a colour in whatever notation. */
  function painted(colour) {
    dot.clearRect(0, 0, 1, 1);
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    return dot.getImageData(0, 0, 1, 1).data;
  }

  /** Notebooks have themes of their own, so what counts is what lies behind the board. */
  function theme() {
    let behind = el;
    while (behind) {
      const [r, g, b, opacity] = painted(getComputedStyle(behind).backgroundColor);
      if (opacity > 128) {
        root.dataset.theme = 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
        return;
      }
      behind = behind.parentElement ?? behind.getRootNode().host ?? null;
    }
    root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  const watch = new MutationObserver(() => setTimeout(theme, 60)); // style sheets may come a moment later
  for (const page of [document.documentElement, document.body]) watch.observe(page, { attributes: true });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", theme);
  setTimeout(theme, 0); // by then the board is in the page
  setTimeout(theme, 500);
  theme();

  model.on("change:view", update);
  model.on("msg:custom", note);
  update();
  return () => {
    clearInterval(clock);
    watch.disconnect();
    system.removeEventListener("change", theme);
    model.off("change:view", update);
    model.off("msg:custom", note);
  };
}

export default { render };
