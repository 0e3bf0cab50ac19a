// Keeps the dashboard fresh: the same page is asked for again, and its live part replaced.
"use strict";
(() => {
  const refresh = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.pathname, { credentials: "same-origin", headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = document.getElementById("live"), next = fresh.getElementById("live");
      if (!next || now.innerHTML === next.innerHTML) return;
      const places = [...now.querySelectorAll(".scroll")].map((s) => [s.scrollLeft, s.scrollTop]);
      const focused = document.activeElement && document.activeElement.getAttribute("aria-label");
      now.replaceWith(document.adoptNode(next));
      next.querySelectorAll(".scroll").forEach((s, i) => {
        if (places[i]) [s.scrollLeft, s.scrollTop] = places[i];
        if (focused && s.getAttribute("aria-label") === focused) s.focus({ preventScroll: true });
      });
      document.title = fresh.title;
    } catch { /* the next turn may succeed */ }
  };
  setInterval(refresh, 5000);
})();
