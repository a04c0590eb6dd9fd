
(function () {
  if (!navigator.clipboard) { return; }
  Array.prototype.forEach.call(document.querySelectorAll("pre"), function (pre) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(pre.textContent + "\n").then(
        function () { button.textContent = "Copied"; },
        function () { window.getSelection().selectAllChildren(pre); });
    });
    pre.previousSibling.appendChild(button);
  });
}());
