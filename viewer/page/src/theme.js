// theme.js - the colours of the picture, by day and by night.
export const LIGHT = {
  sky: 0xf3f6f8,
  ground: 0xe4eaee,
  grid: 0xb9c5ce,
  joint: 0x2f3e4c,
  shade: 0x22303c,
  skyLight: 0xffffff,
  groundLight: 0xa9b6c0,
};

export const DARK = {
  sky: 0x14191e,
  ground: 0x1c2329,
  grid: 0x3a4854,
  joint: 0xc4d0d9,
  shade: 0x000000,
  skyLight: 0xdfe8ef,
  groundLight: 0x3c4650,
};

// The same by day and by night: what a colour means does not change.
export const COLORS = {
  selected: 0xff9f1c,
  slide: 0x2a9d8f,
  turn: 0x8a63b8,
  force: 0xd1495b,
  moment: 0x3d7ea6,
  contact: 0xf28f3b,
  wrench: 0x6a994e,
  push: 0x118ab2,
  spring: 0x6b7c8a,
  damper: 0x7a6a58,
  tendon: 0xb0413e,
  limit: 0x4f9dde,
  atLimit: 0xe63946,
  plain: 0x8d99a6,
  soft: 0xc8875a,
};

export const css = (color) => `#${color.toString(16).padStart(6, "0")}`;
