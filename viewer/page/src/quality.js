// quality.js - how finely the picture is drawn: steps down by itself where frames take long, up again where
// they no longer do, and draws the last frame of a motion once more, finely, when all stands still.
const FINE_AFTER = 450; // ms of rest
const SLOW = 42; // ms a frame: below 24 a second
const EASY = 24; // ms a frame: a finer level may do
const AGAIN = 6000; // ms before a level that was too slow is tried again; twice as long each time

// Software renderers (SwiftShader, llvmpipe) pay for every pixel: they begin low.
function nameOfRenderer() {
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2");
  if (!gl) return "";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return String(name);
}

export class Quality {
  constructor() {
    this.renderer = nameOfRenderer();
    this.isSoftware = /swiftshader|llvmpipe|software|basic render/i.test(this.renderer);
    const full = Math.min(window.devicePixelRatio || 1, 2);
    this.levels = [
      { ratio: full, shadow: 2048 },
      { ratio: Math.min(full, 1), shadow: 1024 },
      { ratio: Math.min(full, 1), shadow: 0 },
      { ratio: 0.75, shadow: 0 },
      { ratio: 0.6, shadow: 0 },
      { ratio: 0.5, shadow: 0 },
    ];
    this.still = this.isSoftware ? { ratio: 2, shadow: 1024 } : this.levels[0];
    this.first = this.isSoftware ? 2 : 0;
    this.at = this.first;
    this.isStill = true;
    this.spans = [];
    this.restSince = 0;
    this.lastTime = 0;
    this.fps = 0;
    this.slowUntil = this.levels.map(() => 0);
    this.patience = AGAIN;
  }

  level() {
    return this.isStill ? this.still : this.levels[this.at];
  }

  // A frame was asked for at this time; true when the level changed. The first frame after a rest says
  // nothing about the time that frames take.
  note(now, isBusy) {
    const span = now - this.lastTime;
    this.lastTime = now;
    if (!isBusy) {
      this.spans.length = 0;
      if (this.isStill || now - this.restSince < FINE_AFTER) return false;
      this.isStill = true;
      return true;
    }
    this.restSince = now;
    if (this.isStill) {
      this.isStill = false;
      this.spans.length = 0;
      return true;
    }
    if (span > 0 && span < 2000) this.spans.push(span);
    if (this.spans.length < 12) return false;
    const sorted = [...this.spans].sort((a, b) => a - b);
    const median = sorted[sorted.length >> 1];
    this.fps = 1000 / (this.spans.reduce((a, b) => a + b, 0) / this.spans.length);
    this.spans.length = 0;
    if (median > SLOW && this.at < this.levels.length - 1) {
      this.slowUntil[this.at++] = now + this.patience;
      this.patience *= 2;
      return true;
    }
    if (median < EASY && this.at > this.first && now > this.slowUntil[this.at - 1]) {
      this.at--;
      return true;
    }
    return false;
  }
}
