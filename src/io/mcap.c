// io/mcap.c - the records of an MCAP file, in the order in which they are written.
#include "io/mcap.h"

#include <trammel/base.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    HEADER = 0x01,
    FOOTER = 0x02,
    SCHEMA = 0x03,
    CHANNEL = 0x04,
    MESSAGE = 0x05,
    CHUNK = 0x06,
    MESSAGE_INDEX = 0x07,
    CHUNK_INDEX = 0x08,
    STATISTICS = 0x0b,
    SUMMARY_OFFSET = 0x0e,
    DATA_END = 0x0f
};

static const unsigned char magic[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

// ---- bytes

void tml__bytes_put(byte_list* b, const void* from, size_t count)
{
    if (b->is_broken || count == 0) return;
    if (count > b->room - b->count) {
        const size_t need = b->count + count;
        const size_t room = need + need / 2 + 256;
        unsigned char* data = room > need ? realloc(b->data, room) : NULL;
        if (data == NULL) {
            b->is_broken = true;
            return;
        }
        b->data = data;
        b->room = room;
    }
    memcpy(b->data + b->count, from, count);
    b->count += count;
}

void tml__bytes_free(byte_list* b)
{
    free(b->data);
    *b = (byte_list){.data = NULL};
}

static void put_8(byte_list* b, unsigned x)
{
    const unsigned char value = (unsigned char)x;
    tml__bytes_put(b, &value, 1);
}

static void put_16(byte_list* b, unsigned x)
{
    const uint16_t value = (uint16_t)x;
    tml__bytes_put(b, &value, sizeof value);
}

static void put_32(byte_list* b, uint32_t x) { tml__bytes_put(b, &x, sizeof x); }
static void put_64(byte_list* b, uint64_t x) { tml__bytes_put(b, &x, sizeof x); }

static void put_text(byte_list* b, const char* text)
{
    put_32(b, (uint32_t)strlen(text));
    tml__bytes_put(b, text, strlen(text));
}

// A record begins with what it is and how long, which is known when it ends.
static size_t begin_record(byte_list* b, unsigned kind)
{
    put_8(b, kind);
    put_64(b, 0);
    return b->count;
}

static void end_record(byte_list* b, size_t begin)
{
    const uint64_t length = b->count - begin;
    if (!b->is_broken) memcpy(b->data + begin - sizeof length, &length, sizeof length);
}

// ---- what a file holds

int tml__mcap_add_channel(mcap* m, const char* topic, const char* type, const char* schema)
{
    if (m->channel_count == MCAP_CHANNELS) return -1;
    m->channels[m->channel_count] = (mcap_channel){.topic = topic, .type = type, .schema = schema};
    return m->channel_count++;
}

static void put_schemas(const mcap* m, byte_list* out)
{
    for (int i = 0; i < m->channel_count; i++) {
        const size_t at = begin_record(out, SCHEMA);
        put_16(out, (unsigned)i + 1);
        put_text(out, m->channels[i].type);
        put_text(out, "ros2msg");
        put_text(out, m->channels[i].schema);
        end_record(out, at);
    }
}

static void put_channels(const mcap* m, byte_list* out)
{
    for (int i = 0; i < m->channel_count; i++) {
        const size_t at = begin_record(out, CHANNEL);
        put_16(out, (unsigned)i);
        put_16(out, (unsigned)i + 1);
        put_text(out, m->channels[i].topic);
        put_text(out, "cdr");
        put_32(out, 0);  // nothing to add
        end_record(out, at);
    }
}

void tml__mcap_begin(mcap* m, byte_list* out)
{
    char library[64] = "trammel ";
    strncat(library, tml_version(), sizeof library - strlen(library) - 1);
    tml__bytes_put(out, magic, sizeof magic);
    const size_t at = begin_record(out, HEADER);
    put_text(out, "ros2");
    put_text(out, library);
    end_record(out, at);
    put_schemas(m, out);
    put_channels(m, out);
}

void tml__mcap_message(mcap* m, int channel, uint64_t time, const byte_list* data)
{
    mcap_channel* c = &m->channels[channel];
    if (m->records.count == 0) m->first_time = time;
    m->last_time = time;
    put_64(&c->index, time);
    put_64(&c->index, m->records.count);
    const size_t at = begin_record(&m->records, MESSAGE);
    put_16(&m->records, (unsigned)channel);
    put_32(&m->records, c->sequence++);
    put_64(&m->records, time);
    put_64(&m->records, time);
    tml__bytes_put(&m->records, data->data, data->count);
    end_record(&m->records, at);
    m->is_broken = m->is_broken || m->records.is_broken || c->index.is_broken || data->is_broken;
}

static mcap_chunk* add_chunk(mcap* m)
{
    if (m->chunk_count == m->chunk_room) {
        const int room = 2 * m->chunk_room + 16;
        mcap_chunk* chunks = realloc(m->chunks, (size_t)room * sizeof *chunks);
        if (chunks == NULL) {
            m->is_broken = true;
            return NULL;
        }
        m->chunks = chunks;
        m->chunk_room = room;
    }
    mcap_chunk* c = &m->chunks[m->chunk_count++];
    *c = (mcap_chunk){.first_time = m->first_time, .last_time = m->last_time};
    return c;
}

void tml__mcap_end_chunk(mcap* m, uint64_t at, byte_list* out)
{
    byte_list* records = &m->records;
    if (records->count == 0) return;
    mcap_chunk* c = add_chunk(m);
    if (c == NULL) return;
    const size_t begin = out->count;
    size_t record = begin_record(out, CHUNK);
    put_64(out, m->first_time);
    put_64(out, m->last_time);
    put_64(out, records->count);
    put_32(out, (uint32_t)crc32_z(0, records->data, records->count));
    put_text(out, "");  // not packed
    put_64(out, records->count);
    tml__bytes_put(out, records->data, records->count);
    end_record(out, record);
    c->at = at;
    c->length = out->count - begin;
    c->records_length = records->count;
    for (int i = 0; i < m->channel_count; i++) {
        byte_list* index = &m->channels[i].index;
        if (index->count == 0) continue;
        put_16(&c->places, (unsigned)i);
        put_64(&c->places, at + (out->count - begin));
        record = begin_record(out, MESSAGE_INDEX);
        put_16(out, (unsigned)i);
        put_32(out, (uint32_t)index->count);
        tml__bytes_put(out, index->data, index->count);
        end_record(out, record);
        index->count = 0;
    }
    c->indices_length = out->count - begin - c->length;
    records->count = 0;
    m->is_broken = m->is_broken || out->is_broken || c->places.is_broken;
}

// ---- the summary

static void put_statistics(const mcap* m, byte_list* out)
{
    uint64_t messages = 0;
    uint64_t first = m->chunk_count > 0 ? m->chunks[0].first_time : 0;
    uint64_t last = 0;
    for (int i = 0; i < m->channel_count; i++) messages += m->channels[i].sequence;
    for (int i = 0; i < m->chunk_count; i++) {
        if (m->chunks[i].last_time > last) last = m->chunks[i].last_time;
    }
    const size_t at = begin_record(out, STATISTICS);
    put_64(out, messages);
    put_16(out, (unsigned)m->channel_count);
    put_32(out, (uint32_t)m->channel_count);
    put_32(out, 0);  // attachments
    put_32(out, 0);  // metadata
    put_32(out, (uint32_t)m->chunk_count);
    put_64(out, first);
    put_64(out, last);
    put_32(out, (uint32_t)m->channel_count * 10);
    for (int i = 0; i < m->channel_count; i++) {
        put_16(out, (unsigned)i);
        put_64(out, m->channels[i].sequence);
    }
    end_record(out, at);
}

static void put_chunk_indices(const mcap* m, byte_list* out)
{
    for (int i = 0; i < m->chunk_count; i++) {
        const mcap_chunk* c = &m->chunks[i];
        const size_t at = begin_record(out, CHUNK_INDEX);
        put_64(out, c->first_time);
        put_64(out, c->last_time);
        put_64(out, c->at);
        put_64(out, c->length);
        put_32(out, (uint32_t)c->places.count);
        tml__bytes_put(out, c->places.data, c->places.count);
        put_64(out, c->indices_length);
        put_text(out, "");
        put_64(out, c->records_length);
        put_64(out, c->records_length);
        end_record(out, at);
    }
}

void tml__mcap_end(mcap* m, uint64_t at, byte_list* out)
{
    static const struct {
        unsigned kind;
        void (*put)(const mcap* m, byte_list* out);
    } groups[] = {{SCHEMA, put_schemas},
                  {CHANNEL, put_channels},
                  {STATISTICS, put_statistics},
                  {CHUNK_INDEX, put_chunk_indices}};
    enum {
        GROUPS = sizeof groups / sizeof *groups
    };
    size_t starts[GROUPS + 1];
    const size_t base = out->count;

    size_t record = begin_record(out, DATA_END);
    put_32(out, 0);  // no checksum: every chunk has its own
    end_record(out, record);
    for (int i = 0; i < GROUPS; i++) {
        starts[i] = out->count;
        groups[i].put(m, out);
    }
    starts[GROUPS] = out->count;
    for (int i = 0; i < GROUPS; i++) {
        if (starts[i + 1] == starts[i]) continue;
        record = begin_record(out, SUMMARY_OFFSET);
        put_8(out, groups[i].kind);
        put_64(out, at + (starts[i] - base));
        put_64(out, starts[i + 1] - starts[i]);
        end_record(out, record);
    }
    record = begin_record(out, FOOTER);
    put_64(out, at + (starts[0] - base));
    put_64(out, at + (starts[GROUPS] - base));
    // the checksum covers the summary and the footer so far, its length among that: 20 bytes
    put_32(out, 0);
    end_record(out, record);
    if (!out->is_broken) {
        const size_t end = out->count - 4;
        const uint32_t crc = (uint32_t)crc32_z(0, out->data + starts[0], end - starts[0]);
        memcpy(out->data + end, &crc, sizeof crc);
    }
    tml__bytes_put(out, magic, sizeof magic);
    m->is_broken = m->is_broken || out->is_broken;
}

void tml__mcap_free(mcap* m)
{
    for (int i = 0; i < m->channel_count; i++) tml__bytes_free(&m->channels[i].index);
    for (int i = 0; i < m->chunk_count; i++) tml__bytes_free(&m->chunks[i].places);
    tml__bytes_free(&m->records);
    free(m->chunks);
    *m = (mcap){.chunks = NULL};
}
