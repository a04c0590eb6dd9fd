
(function () {
  window.addEventListener("beforeprint", function () {
    Array.prototype.forEach.call(document.querySelectorAll("details"), function (part) { part.open = true; });
  });
  var zooms = Array.prototype.slice.call(document.querySelectorAll("[data-zoom]"));
  if (!zooms[1]) { return; }
  var bar = document.createElement("div");
  bar.className = "switch";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Incidents to show");
  function show(which) {
    zooms.forEach(function (zoom) { zoom.hidden = which !== "all" ? zoom.dataset.zoom !== which : false; });
    Array.prototype.forEach.call(bar.children, function (button) {
      button.setAttribute("aria-pressed", String(button.dataset.which === which));
    });
  }
  ["all"].concat(zooms.map(function (zoom) { return zoom.dataset.zoom; })).forEach(function (which) {
    var button = document.createElement("button");
    button.type = "button";
    button.dataset.which = which;
    button.textContent = which === "all" ? "All" : "Incident " + which;
    button.addEventListener("click", function () { show(which); });
    bar.appendChild(button);
  });
  var grid = document.getElementById("zooms");
  grid.parentNode.insertBefore(bar, grid);
  window.addEventListener("beforeprint", function () { show("all"); });
  show("all");
}());
