// A recording as MCAP, read by the format's own library: indexed, every chunk's checksum looked at.
//   read.mjs FILE
import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { readFileSync } from "node:fs";
import assert from "node:assert";

const bytes = readFileSync(process.argv[2]);
const readable = {
  size: async () => BigInt(bytes.length),
  read: async (offset, length) =>
    new Uint8Array(bytes.buffer, bytes.byteOffset + Number(offset), Number(length)),
};

const indexed = await McapIndexedReader.Initialize({ readable });
assert.equal(indexed.header.profile, "ros2");
let count = 0n;
let last = -1n;
for await (const message of indexed.readMessages({ validateCrcs: true })) {
  assert(message.logTime >= last);
  last = message.logTime;
  count++;
}
assert(count > 100n);
assert.equal(count, indexed.statistics.messageCount);
for (const channel of indexed.channelsById.values()) {
  assert.equal(indexed.schemasById.get(channel.schemaId).encoding, "ros2msg");
}

// the same without the index, from the first byte to the last
const stream = new McapStreamReader({ validateCrcs: true });
stream.append(bytes);
let streamed = 0n;
for (let record; (record = stream.nextRecord()); ) streamed += record.type === "Message" ? 1n : 0n;
assert(stream.done());
assert.equal(streamed, count);
console.log(`@mcap/core: ${count} messages`);
