// viewer/server.c - HTTP and WebSocket around a stage, on libwebsockets, in one thread.
//
// Sixty times a second the stage advances, and every viewer that has seen its last frame gets the
// next. A viewer that is slow skips frames; nothing is ever queued
// behind it but the one message on its way. While nobody looks, time stands still. The library
// never sees the network: relay.c listens, and hands it sockets on which every byte was looked at.
#include "viewer/server.h"

#include "viewer/commands.h"
#include "viewer/describe.h"
#include "viewer/packets.h"
#include "viewer/page.h"
#include "viewer/relay.h"

#include <libwebsockets.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    VIEWERS_MOST = 16,
    CONNECTIONS_MOST = 64,
    HEADER_MOST = 4096,  // bytes of all headers of a request
    PATIENCE = 5,        // s for a request to become complete
    TOKEN_BYTES = 16,
    CHUNK = 1 << 16,       // bytes of a file in one write
    IN_FLIGHT = 2,         // frames on their way to one viewer
    COMMANDS_MOST = 1000,  // of one viewer in a second
};

static const double frame_time = 1.0 / 60.0;  // s
static const double idle_time = 0.1;          // s between turns while nobody looks
static const double state_time = 0.1;         // s between words about the clock
static const double work_time = 0.012;        // s of simulation in one turn of the loop
static const double breath = 0.004;  // s to send what there is after a step longer than a frame

typedef struct server {
    stage* stage;
    const server_settings* settings;
    struct lws_context* context;
    int port;
    char token[2 * TOKEN_BYTES + 1];
    char host[2][40];    // what a request may call us
    char origin[2][56];  // and where a page may come from
    text model;          // /model.json
    mesh_list meshes;    // /mesh/0, /mesh/1, ...
    text* packed;        // one a mesh, filled when it is first asked for
    int viewers;
    struct client* first;
    relay* relay;
    double last;  // s, when the stage last advanced
    double due;   // s, when it is to advance again

    uint32_t serial;  // of the frame on show
    int shown_index, shown_count;
    double shown_time;
    unsigned shown_version;
    text frame;  // its bytes, as all that is sent, behind the room that the library wants
    uint32_t frame_serial;  // of the frame in there
} server;

// What a viewer is sent.
typedef enum message_kind {
    SEND_HASH,
    SEND_STATE,
    SEND_SERIES,
    SEND_FRAME,
    SEND_KINDS
} message_kind;

// One connection: a file on its way, or a viewer.
typedef struct client {
    struct lws* wsi;
    struct client* next;
    bool is_viewer;
    const unsigned char* file;
    size_t file_left;

    char command[COMMAND_MOST];
    size_t command_length;
    int commands;  // in this second
    double second;

    uint32_t seen;  // serial of the last frame that was sent
    int in_flight;
    double frame_sent, state_sent;
    message_kind last;
    unsigned version;
    bool wants_series, wants_hash;
    bool is_refused;  // it broke the protocol
    command_request request;
} client;

// ---- what is sent to viewers

static void begin_packet(text* t)
{
    static const unsigned char room[LWS_PRE];
    if (t->is_broken) text_free(t);
    t->length = 0;
    text_put_bytes(t, room, sizeof room);
}

static bool send_packet(const text* t, struct lws* wsi, enum lws_write_protocol kind)
{
    if (t->is_broken) return false;
    const size_t length = t->length - LWS_PRE;
    return lws_write(wsi, (unsigned char*)t->data + LWS_PRE, length, kind) >= (int)length;
}

static void make_frame(server* v)
{
    if (v->frame_serial == v->serial && v->frame.length > 0 && !v->frame.is_broken) return;
    begin_packet(&v->frame);
    packet_frame(v->stage, v->serial, &v->frame);
    v->frame_serial = v->serial;
}

static bool send_frame(server* v, client* c)
{
    make_frame(v);
    c->seen = v->serial;
    c->in_flight++;
    c->frame_sent = stage_clock();
    return send_packet(&v->frame, c->wsi, LWS_WRITE_BINARY);
}

static bool send_and_free(client* c, text* t, enum lws_write_protocol kind)
{
    const bool is_sent = send_packet(t, c->wsi, kind);
    text_free(t);
    return is_sent;
}

static bool send_state(server* v, client* c)
{
    text t = {0};
    begin_packet(&t);
    describe_state(v->stage, &t);
    c->version = v->stage->version;
    c->state_sent = stage_clock();
    return send_and_free(c, &t, LWS_WRITE_TEXT);
}

static bool send_hash(server* v, client* c)
{
    text t = {0};
    begin_packet(&t);
    text_format(&t, "{\"type\":\"hash\",\"hash\":\"%016llx\",\"frames\":%d,\"viewers\":%d}",
                stage_hash(v->stage), v->stage->frame_count, v->viewers);
    c->wants_hash = false;
    return send_and_free(c, &t, LWS_WRITE_TEXT);
}

static bool send_series(server* v, client* c)
{
    text t = {0};
    begin_packet(&t);
    packet_series(v->stage, &c->request, &t);
    c->wants_series = false;
    return send_and_free(c, &t, LWS_WRITE_BINARY);
}

static bool is_due(const server* v, const client* c, double now)
{
    return c->seen != v->serial && c->in_flight < IN_FLIGHT &&
           now - c->frame_sent > 0.8 * frame_time;
}

static int hang_up(struct lws* wsi, enum lws_close_status why)
{
    lws_close_reason(wsi, why, NULL, 0);
    return -1;
}

static bool is_pending(const server* v, const client* c, message_kind kind, double now)
{
    switch (kind) {
    case SEND_HASH: return c->wants_hash;
    case SEND_STATE: return c->version != v->stage->version || now - c->state_sent > state_time;
    case SEND_SERIES: return c->wants_series;
    case SEND_FRAME: return is_due(v, c, now);
    case SEND_KINDS: break;
    }
    return false;
}

static bool send_message(server* v, client* c, message_kind kind)
{
    switch (kind) {
    case SEND_HASH: return send_hash(v, c);
    case SEND_STATE: return send_state(v, c);
    case SEND_SERIES: return send_series(v, c);
    case SEND_FRAME: return send_frame(v, c);
    case SEND_KINDS: break;
    }
    return false;
}

// One message per turn: the library calls again as soon as the socket has room. Kinds take turns, so that
// where a step takes longer than the state is good for, states do not keep frames from being sent.
static int write_viewer(server* v, client* c)
{
    const double now = stage_clock();

    if (c->is_refused) return hang_up(c->wsi, LWS_CLOSE_STATUS_PROTOCOL_ERR);
    for (int k = 1; k <= SEND_KINDS; k++) {
        const message_kind kind = (message_kind)(((int)c->last + k) % SEND_KINDS);
        if (!is_pending(v, c, kind, now)) continue;
        c->last = kind;
        const bool is_sent = send_message(v, c, kind);
        lws_callback_on_writable(c->wsi);
        return is_sent ? 0 : -1;
    }
    return 0;
}

// ---- the clock

static void show(server* v)
{
    const stage* s = v->stage;
    const bool is_same = s->shown == v->shown_index && s->frame_count == v->shown_count &&
                         s->frames[s->shown]->time == v->shown_time &&
                         s->version == v->shown_version;
    if (is_same) return;
    v->shown_index = s->shown;
    v->shown_count = s->frame_count;
    v->shown_time = s->frames[s->shown]->time;
    v->shown_version = s->version;
    v->serial++;
}

static void turn(server* v)
{
    const double now = stage_clock();
    const double elapsed = now - v->last;

    v->last = now;
    // after a pause of the whole process the clock does not jump
    if (v->viewers > 0) stage_advance(v->stage, elapsed < 0.25 ? elapsed : 0.25, work_time);
    show(v);
    for (client* c = v->first; c != NULL; c = c->next) {
        if (c->is_viewer) lws_callback_on_writable(c->wsi);
    }
    // from deadline to deadline, so that being woken late does not add up
    const double period = v->viewers == 0 ? idle_time : frame_time;
    const double end = stage_clock();
    v->due = v->due + period > end ? v->due + period : end + breath;
}

// ---- who may come in

// Equal, without telling by the time taken where they differ.
static bool is_equal_secret(const char* a, const char* b, size_t length)
{
    unsigned char difference = 0;
    for (size_t i = 0; i < length; i++) difference |= (unsigned char)(a[i] ^ b[i]);
    return difference == 0;
}

static bool has_token(const server* v, struct lws* wsi)
{
    char given[80] = "";
    if (lws_get_urlarg_by_name(wsi, "t=", given, sizeof given) == NULL) return false;
    // the library hands back the value, or the value behind "t="
    const char* value = strncmp(given, "t=", 2) == 0 ? given + 2 : given;
    return strlen(value) == sizeof v->token - 1 &&
           is_equal_secret(value, v->token, sizeof v->token - 1);
}

static bool is_one_of(struct lws* wsi, enum lws_token_indexes header, const char* a, const char* b)
{
    char value[80];
    if (lws_hdr_copy(wsi, value, sizeof value, header) <= 0) return false;
    return strcmp(value, a) == 0 || strcmp(value, b) == 0;
}

static bool is_host_ours(const server* v, struct lws* wsi)
{
    return is_one_of(wsi, WSI_TOKEN_HOST, v->host[0], v->host[1]);
}

static bool is_origin_ours(const server* v, struct lws* wsi)
{
    return is_one_of(wsi, WSI_TOKEN_ORIGIN, v->origin[0], v->origin[1]);
}

static bool may_watch(const server* v, struct lws* wsi)
{
    char path[16];
    return lws_hdr_copy(wsi, path, sizeof path, WSI_TOKEN_GET_URI) > 0 &&
           strcmp(path, "/ws") == 0 && is_host_ours(v, wsi) && is_origin_ours(v, wsi) &&
           has_token(v, wsi) && v->viewers < VIEWERS_MOST;
}

// ---- files

static bool add_header(struct lws* wsi, const char* name, const char* value, unsigned char** p,
                       unsigned char* end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char*)name, (const unsigned char*)value,
                                       (int)strlen(value), p, end) == 0;
}

static bool add_safety(const server* v, struct lws* wsi, unsigned char** p, unsigned char* end)
{
    char policy[400];
    snprintf(policy, sizeof policy,
             "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
             "img-src 'self' data:; connect-src 'self' ws://127.0.0.1:%d ws://localhost:%d; "
             "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
             v->port, v->port);
    return add_header(wsi, "content-security-policy:", policy, p, end) &&
           add_header(wsi, "x-content-type-options:", "nosniff", p, end) &&
           add_header(wsi, "referrer-policy:", "no-referrer", p, end) &&
           add_header(wsi, "cross-origin-resource-policy:", "same-origin", p, end) &&
           add_header(wsi, "cache-control:", "no-store", p, end);
}

static int begin_file(server* v, client* c, const char* type, const void* data, size_t length)
{
    unsigned char room[LWS_PRE + 2048];
    unsigned char* start = room + LWS_PRE;
    unsigned char* p = start;
    unsigned char* end = room + sizeof room - 1;

    if (lws_add_http_common_headers(c->wsi, HTTP_STATUS_OK, type, (lws_filepos_t)length, &p, end) ||
        !add_safety(v, c->wsi, &p, end) || lws_finalize_write_http_header(c->wsi, start, &p, end)) {
        return -1;
    }
    c->file = data;
    c->file_left = length;
    lws_callback_on_writable(c->wsi);
    return 0;
}

// The answer is given: the connection may ask again.
static int end_request(server* v, struct lws* wsi)
{
    if (lws_http_transaction_completed(wsi) != 0) return -1;
    relay_expect(v->relay, lws_get_socket_fd(wsi), GUARD_HEAD);
    return 0;
}

static int refuse(server* v, struct lws* wsi, unsigned status)
{
    if (lws_return_http_status(wsi, status, NULL) != 0) return -1;
    return end_request(v, wsi);
}

// The number behind "/mesh/"; -1 where there is no such mesh, or one that is not drawn.
static int mesh_named(const server* v, const char* path)
{
    const char* digits = path + strlen("/mesh/");
    const size_t length = strlen(digits);
    int number = 0;
    if (length < 1 || length > 6 || strspn(digits, "0123456789") != length) return -1;
    for (size_t i = 0; i < length; i++) number = 10 * number + (digits[i] - '0');
    return number < v->meshes.count && v->meshes.entries[number].is_drawn ? number : -1;
}

static int answer_mesh(server* v, client* c, const char* path)
{
    const int number = mesh_named(v, path);
    if (number < 0) return refuse(v, c->wsi, HTTP_STATUS_NOT_FOUND);
    text* packed = &v->packed[number];
    if (packed->length == 0) meshes_pack(v->meshes.entries[number].shape, packed);
    if (packed->is_broken) {
        text_free(packed);
        return refuse(v, c->wsi, HTTP_STATUS_SERVICE_UNAVAILABLE);
    }
    return begin_file(v, c, "application/octet-stream", packed->data, packed->length);
}

static int answer_request(server* v, client* c, const char* path)
{
    const bool is_mesh = strncmp(path, "/mesh/", 6) == 0;
    const bool needs_token = is_mesh || strcmp(path, "/") == 0 || strcmp(path, "/model.json") == 0;

    if (lws_hdr_total_length(c->wsi, WSI_TOKEN_GET_URI) <= 0) {
        return refuse(v, c->wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    }
    if (!is_host_ours(v, c->wsi)) return refuse(v, c->wsi, HTTP_STATUS_FORBIDDEN);
    const bool has_origin = lws_hdr_total_length(c->wsi, WSI_TOKEN_ORIGIN) > 0;
    if (has_origin && !is_origin_ours(v, c->wsi)) return refuse(v, c->wsi, HTTP_STATUS_FORBIDDEN);
    if (needs_token && !has_token(v, c->wsi)) return refuse(v, c->wsi, HTTP_STATUS_FORBIDDEN);
    if (is_mesh) return answer_mesh(v, c, path);
    if (strcmp(path, "/model.json") == 0) {
        return begin_file(v, c, "application/json", v->model.data, v->model.length);
    }
    const page_file* file = page_find(strcmp(path, "/") == 0 ? "index.html" : path + 1);
    if (file == NULL) return refuse(v, c->wsi, HTTP_STATUS_NOT_FOUND);
    return begin_file(v, c, file->type, file->data, file->length);
}

static int write_file(server* v, client* c)
{
    unsigned char room[LWS_PRE + CHUNK];
    const size_t part = c->file_left < CHUNK ? c->file_left : CHUNK;
    const bool is_last = part == c->file_left;

    if (c->file == NULL) return 0;
    memcpy(room + LWS_PRE, c->file, part);
    if (lws_write(c->wsi, room + LWS_PRE, part, is_last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)part) {
        return -1;
    }
    c->file += part;
    c->file_left -= part;
    if (!is_last) {
        // patience is for every part: a page takes its time with the model of a million bodies
        lws_set_timeout(c->wsi, PENDING_TIMEOUT_HTTP_CONTENT, PATIENCE);
        lws_callback_on_writable(c->wsi);
        return 0;
    }
    c->file = NULL;
    return end_request(v, c->wsi);
}

// ---- viewers

static void link_viewer(server* v, client* c, struct lws* wsi)
{
    *c = (client){.wsi = wsi, .is_viewer = true, .next = v->first};
    c->version = v->stage->version - 1;
    c->seen = v->serial - 1;
    v->first = c;
    v->viewers++;
    lws_callback_on_writable(wsi);
    // somebody looks: the clock goes on from here, at once
    if (v->viewers == 1) {
        v->last = stage_clock();
        v->due = v->last;
    }
    relay_expect(v->relay, lws_get_socket_fd(wsi), GUARD_FRAMES);
}

static void unlink_viewer(server* v, client* c)
{
    static const stage_push none = {.body = -1};
    for (client** at = &v->first; *at != NULL; at = &(*at)->next) {
        if (*at != c) continue;
        *at = c->next;
        v->viewers--;
        break;
    }
    // a hand that leaves lets go
    if (v->stage->push.body >= 0) stage_set_push(v->stage, &none);
}

static int apply_command(server* v, client* c)
{
    const double now = stage_clock();
    if (now - c->second > 1.0) {
        c->second = now;
        c->commands = 0;
    }
    if (++c->commands > COMMANDS_MOST) return hang_up(c->wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    command_request request;
    switch (command_apply(v->stage, c->command, c->command_length, &request)) {
    case ANSWER_ACK:
        if (c->in_flight > 0) c->in_flight--;
        break;
    case ANSWER_SERIES:
        c->request = request;
        c->wants_series = true;
        break;
    case ANSWER_HASH: c->wants_hash = true; break;
    case ANSWER_BAD: return hang_up(c->wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    case ANSWER_NONE:
    default: break;
    }
    show(v);
    lws_callback_on_writable(c->wsi);
    return 0;
}

static int receive(server* v, client* c, const char* bytes, size_t length)
{
    if (lws_is_first_fragment(c->wsi)) c->command_length = 0;
    if (lws_frame_is_binary(c->wsi)) {
        return hang_up(c->wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    }
    if (length + lws_remaining_packet_payload(c->wsi) > COMMAND_MOST - c->command_length) {
        return hang_up(c->wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    }
    memcpy(c->command + c->command_length, bytes, length);
    c->command_length += length;
    if (!lws_is_final_fragment(c->wsi) || lws_remaining_packet_payload(c->wsi) > 0) return 0;
    return apply_command(v, c);
}

// ---- callbacks of the library

static int on_http(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                   size_t length)
{
    server* v = lws_context_user(lws_get_context(wsi));
    client* c = user;

    (void)length;
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        if (strcmp(in, "websocket") == 0 && may_watch(v, wsi)) return 0;
        return lws_return_http_status(wsi, HTTP_STATUS_FORBIDDEN, NULL) != 0 ? -1 : 1;
    case LWS_CALLBACK_HTTP: *c = (client){.wsi = wsi}; return answer_request(v, c, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return write_file(v, c);
    case LWS_CALLBACK_HTTP_BODY:  // nothing here takes a body
        return -1;
    default: return 0;
    }
}

static int on_viewer(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                     size_t length)
{
    server* v = lws_context_user(lws_get_context(wsi));
    client* c = user;

    switch ((int)reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return may_watch(v, wsi) ? 0 : -1;
    case LWS_CALLBACK_ESTABLISHED: link_viewer(v, c, wsi); return 0;
    case LWS_CALLBACK_CLOSED: unlink_viewer(v, c); return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_viewer(v, c);
    case LWS_CALLBACK_RECEIVE: return receive(v, c, in, length);
    default: return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = on_http, .per_session_data_size = sizeof(client)},
    {.name = "trammel",
     .callback = on_viewer,
     .per_session_data_size = sizeof(client),
     .rx_buffer_size = COMMAND_MOST},
    {0},
};

// ---- the door

static bool adopt(void* context, int socket)
{
    const server* v = context;
    return lws_adopt_socket(v->context, socket) != NULL;  // it closes the socket when it cannot
}

static void refuse_viewer(void* context, int socket)
{
    const server* v = context;
    for (client* c = v->first; c != NULL; c = c->next) {
        if (lws_get_socket_fd(c->wsi) != socket) continue;
        c->is_refused = true;
        lws_callback_on_writable(c->wsi);
        // one that does not even read is not waited for
        lws_set_timeout(c->wsi, PENDING_TIMEOUT_CLOSE_SEND, PATIENCE);
    }
}

// ---- opening

static bool make_token(server* v)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < TOKEN_BYTES; i++) {
        snprintf(v->token + 2 * i, 3, "%02x", bytes[i]);
    }
    return true;
}

static bool listen_here(server* v)
{
    struct lws_context_creation_info info = {0};
    lws_set_log_level(0, NULL);
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
    info.protocols = protocols;
    info.user = v;
    info.timeout_secs = PATIENCE;
    info.keepalive_timeout = PATIENCE;
    info.max_http_header_data = HEADER_MOST;
    // the library learns only later of those that gave way to others (relay.c)
    info.max_http_header_pool = 4 * CONNECTIONS_MOST;
    info.fd_limit_per_thread = 4 * CONNECTIONS_MOST + 8;
    info.options = LWS_SERVER_OPTION_DISABLE_IPV6;
    info.gid = -1;
    info.uid = -1;
    v->context = lws_create_context(&info);
    if (v->context == NULL) return false;
    v->relay = relay_open(v->settings->port, CONNECTIONS_MOST,
                          &(relay_hooks){.context = v, .adopt = adopt, .refuse = refuse_viewer});
    if (v->relay == NULL) return false;
    v->port = relay_port(v->relay);
    return v->port > 0;
}

static void name_ourselves(server* v)
{
    static const char* const names[2] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        snprintf(v->host[i], sizeof v->host[i], "%s:%d", names[i], v->port);
        snprintf(v->origin[i], sizeof v->origin[i], "http://%s:%d", names[i], v->port);
    }
}

static tml_status open_server(server* v, char* why, size_t capacity)
{
    meshes_collect(v->stage->model, mesh_limits_view, &v->meshes);
    describe_model(v->stage, v->settings->note, &v->meshes, &v->model);
    v->packed = calloc((size_t)v->meshes.count + 1, sizeof *v->packed);
    if (v->model.is_broken || v->packed == NULL) {
        snprintf(why, capacity, "out of memory");
        return TML_NO_MEMORY;
    }
    if (!make_token(v)) {
        snprintf(why, capacity, "the system gives no random numbers");
        return TML_BAD_FILE;
    }
    if (!listen_here(v)) {
        snprintf(why, capacity, "cannot listen on 127.0.0.1, port %d%s", v->settings->port,
                 v->settings->port != 0 ? " (is it taken? --port 0 finds a free one)" : "");
        return TML_BAD_FILE;
    }
    name_ourselves(v);
    return TML_OK;
}

// Carry bytes until it is time for the next frame. The library's sockets need no watching: they
// are the other ends of the relay's, and it is called again after whatever the relay has carried.
static void wait_and_turn(server* v)
{
    const bool is_busy = lws_service_adjust_timeout(v->context, 1000, 0) == 0;
    const double now = stage_clock();
    relay_wait(v->relay, is_busy ? 0.0 : v->due - now);
    if (stage_clock() >= v->due) turn(v);
}

tml_status server_run(stage* s, const server_settings* settings, char* why, size_t capacity)
{
    server v = {.stage = s, .settings = settings, .serial = 1, .shown_index = -1};
    const tml_status status = open_server(&v, why, capacity);

    if (status == TML_OK) {
        char address[160];
        snprintf(address, sizeof address, "http://127.0.0.1:%d/?t=%s", v.port, v.token);
        v.last = v.due = stage_clock();
        show(&v);
        settings->opened(settings->context, address);
        while (*settings->stop == 0 && lws_service(v.context, -1) >= 0) wait_and_turn(&v);
    }
    relay_close(v.relay);
    if (v.context != NULL) lws_context_destroy(v.context);
    text_free(&v.frame);
    text_free(&v.model);
    for (int i = 0; v.packed != NULL && i < v.meshes.count; i++) text_free(&v.packed[i]);
    free(v.packed);
    meshes_free(&v.meshes);
    return status;
}
