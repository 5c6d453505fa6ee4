// app/json.h - the little JSON that the tool prints.
#ifndef TRAMMEL_APP_JSON_H
#define TRAMMEL_APP_JSON_H

// Members of one object, in order: open, members, close. Each goes to stdout on a line of its own.
typedef struct json_object {
    int count;
} json_object;

json_object json_open(void);
void json_text(json_object* o, const char* key, const char* value);
void json_number(json_object* o, const char* key, double value);  // null when not finite
void json_whole(json_object* o, const char* key, long long value);
void json_close(json_object* o);

#endif
