// view.js - starts the page: on a recording inside the page (a report), or on a server's frames.
import { App } from "./app.js";
import { enliven } from "./report.js";
import { EmbeddedSource, RemoteSource } from "./source.js";

async function main() {
  const root = document.getElementById("trammel");
  const data = document.getElementById("trammel-data");
  const token = new URLSearchParams(location.search).get("t") || "";
  try {
    const source = data ? new EmbeddedSource(JSON.parse(data.textContent)) : new RemoteSource(token);
    await source.open();
    window.trammel = await new App(root, source, { isReport: data !== null }).start();
    if (data) enliven(window.trammel);
  } catch (error) {
    root.textContent = `This page could not be opened: ${error.message}`;
  }
}

main();
