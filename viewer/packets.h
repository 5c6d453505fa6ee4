// viewer/packets.h - frames and series as the page reads them, whoever carries them: the server, or a Worker.
#ifndef TRAMMEL_VIEWER_PACKETS_H
#define TRAMMEL_VIEWER_PACKETS_H

#include "viewer/commands.h"
#include "viewer/text.h"

// The frame on show, and the numbers that a page asked for, behind what stands in the text. Little-endian, as
// page/src/layout.js and source.js read them.
void packet_frame(const stage* s, unsigned serial, text* out);
void packet_series(const stage* s, const command_request* wanted, text* out);

#endif
