// io/mcap.h - MCAP files being written: chunks of messages, each with an index, and a summary at the end.
//
// What is put is kept in memory until a chunk is full; the caller takes its bytes to the file. The format
// is that of mcap.dev/spec: little-endian, one byte that says what a record is, eight of its length.
#ifndef TML_IO_MCAP_H
#define TML_IO_MCAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A growing text of bytes. Without memory it stays as it was and remembers that.
typedef struct byte_list {
    unsigned char* data;
    size_t count, room;
    bool is_broken;
} byte_list;

void tml__bytes_put(byte_list* b, const void* from, size_t count);
void tml__bytes_free(byte_list* b);

typedef struct mcap_channel {
    const char *topic, *type;  // borrowed
    const char* schema;        // text of ROS 2's message definitions
    uint32_t sequence;
    byte_list index;  // of the chunk: time and place of each message
} mcap_channel;

typedef struct mcap_chunk {
    uint64_t first_time, last_time, at, length, indices_length, records_length;
    byte_list places;  // of the index of each channel: id and place
} mcap_chunk;

enum {
    MCAP_CHANNELS = 16
};

typedef struct mcap {
    mcap_channel channels[MCAP_CHANNELS];
    int channel_count;
    byte_list records;  // of the chunk
    uint64_t first_time, last_time;
    mcap_chunk* chunks;
    int chunk_count, chunk_room;
    bool is_broken;  // memory ran out
} mcap;

// Each appends to `out` what comes next in the file; `at` is where that will be.

int tml__mcap_add_channel(mcap* m, const char* topic, const char* type, const char* schema);
void tml__mcap_begin(mcap* m, byte_list* out);
// A message of so many bytes; it waits in the chunk.
void tml__mcap_message(mcap* m, int channel, uint64_t time, const byte_list* data);
void tml__mcap_end_chunk(mcap* m, uint64_t at, byte_list* out);  // nothing, where it is empty
void tml__mcap_end(mcap* m, uint64_t at, byte_list* out);        // the chunk was ended
void tml__mcap_free(mcap* m);

#endif
