// link.js - a scene in the address: its name where it is a built-in one as it comes, else its whole text, packed.
const squeeze = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

function toText(bytes) {
  let raw = "";
  for (const byte of bytes) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function toBytes(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

export const inflate = (bytes, format) => squeeze(bytes, new DecompressionStream(format));

export async function linkOf({ name, text }) {
  const bytes = new TextEncoder().encode(JSON.stringify({ name, text }));
  return `#text=${toText(await squeeze(bytes, new CompressionStream("deflate-raw")))}`;
}

const MOST = 16 << 20; // characters of a text that a link unpacks to

// { scene }, { name, text } or null. A link is from anywhere: what it holds is a name and a text, and nothing else of it is used.
export async function readLink(hash) {
  const [key, value] = hash.replace(/^#/, "").split("=");
  if (key === "scene" && value) return { scene: decodeURIComponent(value) };
  if (key !== "text" || !value) return null;
  const { name, text } = JSON.parse(new TextDecoder().decode(await inflate(toBytes(value), "deflate-raw")));
  if (typeof name !== "string" || typeof text !== "string" || text.length > MOST) throw new Error("the link holds no scene");
  return { name: name.replace(/[^\w. -]/g, "_").replace(/^\.+/, "_").slice(0, 80) || "scene.json", text };
}
