// frame.js - the viewer's page inside the playground's: a frame of its own for every scene, so that nothing of the
// one before is left.
import { App } from "../../viewer/page/src/app.js";

const ROOM_FOR_PLOTS = 1200; // px

async function main() {
  const root = document.getElementById("trammel");
  const { source } = window.parent.playground;
  try {
    const app = new App(root, source);
    // beside the text there is room for the picture or for plots; the page's button shows them
    if (window.innerWidth < ROOM_FOR_PLOTS) app.plotCard.hidden = true;
    app.centre();
    window.trammel = await app.start();
    source.send("play");
  } catch (error) {
    root.textContent = `This scene could not be shown: ${error.message}`;
  }
}

main();
