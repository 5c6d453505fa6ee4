// capture.js - the picture as a file, and a run as a video.
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const nameOf = (text) => (text || "trammel").replace(/[^\w.-]+/g, "-").slice(0, 80);

export function savePicture(world, name) {
  world.quality.isStill = true;
  world.applyQuality();
  world.render();
  return new Promise((resolve) => world.renderer.domElement.toBlob((blob) => {
    save(blob, `${nameOf(name)}.png`);
    resolve(blob.size);
  }, "image/png"));
}

// A video of what the canvas shows, until stop(); null where the browser cannot.
export function startFilm(world, name) {
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((t) => window.MediaRecorder && MediaRecorder.isTypeSupported(t));
  if (!type) return null;
  const pieces = [];
  const recorder = new MediaRecorder(world.renderer.domElement.captureStream(30), { mimeType: type, videoBitsPerSecond: 8e6 });
  recorder.ondataavailable = (e) => e.data.size > 0 && pieces.push(e.data);
  recorder.start(500);
  return {
    stop: () => new Promise((resolve) => {
      recorder.onstop = () => {
        const blob = new Blob(pieces, { type: "video/webm" });
        save(blob, `${nameOf(name)}.webm`);
        resolve(blob.size);
      };
      recorder.stop();
    }),
  };
}
