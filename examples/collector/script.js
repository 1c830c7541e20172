// Reports the page once a visitor sees it. It stores nothing in the browser. A string as the body needs no question before it (CORS).
(() => {
  const event = new URL("event", document.currentScript.src);
  const body = JSON.stringify({ url: location.href });
  const report = () => fetch(event, { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
  if (document.prerendering) document.addEventListener("prerenderingchange", report, { once: true });
  else void report();
})();
