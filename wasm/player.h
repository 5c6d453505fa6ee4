// wasm/player.h - what the playground's Worker calls, one after the other: open, model, meshes; then turns, frames
// and commands. Texts and packets are the player's until its next answer; packets are player_size bytes, NULL
// without memory.
#ifndef TRAMMEL_WASM_PLAYER_H
#define TRAMMEL_WASM_PLAYER_H

int player_open(const char* path, double megabytes);
const char* player_message(void);
const char* player_model(void);
const char* player_state(void);
int player_size(void);
const char* player_series(void);
const char* player_mesh(int number);
int player_turn(double elapsed, double allowed);
const char* player_frame(void);
int player_command(const char* words);
const char* player_hash(void);
const char* player_scenes(void);
const char* player_scene(const char* name);

#endif
