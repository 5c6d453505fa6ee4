// bench/peers/engines.h - the lists of the adapters, each ended by an engine without a name. Only those
// whose library was found at build time exist: table.c knows which.
#ifndef TRAMMEL_BENCH_PEERS_ENGINES_H
#define TRAMMEL_BENCH_PEERS_ENGINES_H

#include "bench/peers/peer.h"

TML_BEGIN_C

extern const peer_engine peer_trammel[];
extern const peer_engine peer_mujoco[];
extern const peer_engine peer_bullet[];
extern const peer_engine peer_ode[];
extern const peer_engine peer_dart[];
extern const peer_engine peer_simbody[];

TML_END_C

#endif
