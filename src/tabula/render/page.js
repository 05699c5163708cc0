"use strict";
{
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const links = [...document.querySelectorAll("a.turn")];
  const OFF = 25;
  let current = 0;

  const element = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const copyOf = (id, x, y) => element("use", { href: "#" + id, x, y });
  const word = (x, y, size, fill, text) => {
    const made = element("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle", "font-weight": "bold", fill });
    made.textContent = text;
    return made;
  };
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const pips = (track) => track.reduce((sum, count, index) => sum + count * (OFF - index), 0);

  // The board in words, for those who do not see it; points have the numbers that the side `viewer` gives them.
  const inWords = (tracks, viewer) =>
    tracks.map((track, side) => {
      const points = [];
      for (let index = 1; index < OFF; index += 1) {
        if (track[index]) points.push([data.numbers[side === viewer ? index : data.facing[index]], track[index]]);
      }
      const listed = points.sort((a, b) => a[0] - b[0]).map(([number, count]) => `${count} on ${number}`).join(", ");
      const waiting = data.mayWait || tracks.some((each) => each[0]) ? `${track[0]} ${data.waiting}; ` : "";
      return `${data.names[side]}: ${listed || "none on the board"}; ${waiting}${track[OFF]} off.`;
    }).join(" ");

  const drawCheckers = (layer, side, track) => {
    track.forEach((count, index) => {
      const [x, y, dx, dy] = data.places[side][index];
      const flat = index === OFF || (index === 0 && !data.opposed);
      for (let level = 0; level < (flat ? count : Math.min(count, data.levels)); level += 1) {
        layer.append(copyOf((flat ? "flat" : "checker") + side, x + level * dx, y + level * dy));
      }
      if (count && flat) layer.append(word(x, y - 15 * Math.sign(dy), 16, "var(--label)", count));
      else if (count > data.levels) layer.append(word(x, y, 18, side ? "var(--black-mark)" : "var(--white-mark)", count));
    });
  };

  const draw = ([side, letters, roll, unused, arrows, standing]) => {
    const tracks = [0, 1].map((at) => [...letters.slice(26 * at, 26 * at + 26)].map((letter) => letter.charCodeAt(0) - 97));
    const [words, score, cube] = data.standings[standing];
    const layer = element("g", {});
    data.labels.forEach(([x, y], at) => {
      const index = at + 1;
      layer.append(word(x, y, 17, "var(--label)", data.numbers[side === data.side ? index : data.facing[index]]));
    });
    const [barX, barY, barWord] = data.bar ?? [];
    if (data.bar && !(cube && cube[1] === barX && cube[2] === barY)) layer.append(word(barX, barY, 14, "var(--label)", barWord));
    if (cube) layer.append(copyOf("cube", cube[1], cube[2]), word(cube[1], cube[2], cube[0] > 999 ? 10 : 15, "var(--white-mark)", cube[0]));
    tracks.forEach((track, at) => drawCheckers(layer, at, track));
    for (const at of arrows) {
      const [path, head, hit] = data.arrows[at];
      for (const [ink, width] of [["var(--arrow-edge)", 8.5], ["var(--arrow)", 5]]) {
        const arrow = element("g", { fill: ink, stroke: ink, "stroke-linejoin": "round", "stroke-linecap": "round" });
        arrow.append(element("path", { d: path, fill: "none", "stroke-width": width }));
        arrow.append(element("polygon", { points: head, "stroke-width": width - 4 }));
        layer.append(arrow);
      }
      if (hit) layer.append(copyOf("hit", hit[0], hit[1]));
    }
    [...roll].forEach((die, at) => {
      const face = copyOf(`die${side}${die}`, data.dice[side][0] + data.dice[side][2] * (at - (roll.length - 1) / 2), data.dice[side][1]);
      if (unused.includes(at)) face.setAttribute("opacity", "0.4");
      layer.append(face);
    });
    byId("drawn").replaceChildren(layer);
    byId("board-words").textContent = inWords(tracks, side);
    byId("standing").textContent = words;
    tracks.forEach((track, at) => {
      byId("side" + at).classList.toggle("to-move", at === side);
      byId("count" + at).textContent = `${counted(score[at], "point")}, ${counted(pips(track), "pip")}`;
    });
  };

  const show = (at, { scroll = true } = {}) => {
    if (!links.length) return;
    current = Math.max(0, Math.min(at, links.length - 1));
    const link = links[current];
    for (const marked of document.querySelectorAll("a[aria-current]")) marked.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    if (scroll) link.scrollIntoView({ block: "nearest" });
    const row = data.turns[current];
    draw(row);
    byId("status").textContent = `${link.closest("table").dataset.name}: ${row[7]}${link.textContent}`;
    byId("id-name").textContent = row[6].startsWith("XGID") ? "XGID" : "Position";
    byId("id").value = row[6];
    byId("copied").textContent = "";
    for (const name of ["first", "previous"]) byId(name).disabled = current === 0;
    for (const name of ["next", "last"]) byId(name).disabled = current === links.length - 1;
  };
  let waiting = 0;
  const go = (at) => {
    show(at);
    clearTimeout(waiting); // a key that is held down would change the address more often than browsers allow
    waiting = setTimeout(() => {
      try {
        history.replaceState(null, "", "#" + links[current].id);
      } catch {
        // A page without an address of its own has none to change.
      }
    }, 100);
  };
  const steps = { first: () => 0, previous: () => current - 1, next: () => current + 1, last: () => links.length - 1 };
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  for (const name of Object.keys(steps)) byId(name).addEventListener("click", () => go(steps[name]()));
  document.addEventListener("keydown", (event) => {
    const name = keys[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === byId("id")) return;
    event.preventDefault();
    go(steps[name]());
  });
  byId("copy").addEventListener("click", () => {
    byId("id").select();
    const done = () => { byId("copied").textContent = "Copied."; };
    const byHand = () => { if (document.execCommand("copy")) done(); };
    if (navigator.clipboard) navigator.clipboard.writeText(byId("id").value).then(done, byHand);
    else byHand();
  });
  const fromAddress = () => Math.max(0, links.findIndex((link) => link.id === location.hash.slice(1)));
  window.addEventListener("hashchange", () => show(fromAddress()));
  show(fromAddress(), { scroll: location.hash !== "" });
}
