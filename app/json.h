// app/json.h - the little JSON that the tool prints.
#ifndef TRAMMEL_APP_JSON_H
#define TRAMMEL_APP_JSON_H

// Members of an object, in order: open, members, close. Each goes to stdout on a line of its own.
typedef struct json_object {
    int count;
} json_object;

json_object json_open(void);
void json_text(json_object* o, const char* key, const char* value);
void json_number(json_object* o, const char* key, double value);  // null when not finite
void json_whole(json_object* o, const char* key, long long value);
void json_truth(json_object* o, const char* key, int is_true);
void json_null(json_object* o, const char* key);
void json_close(json_object* o);

// A list as the value of a member: begin, then per item a separator and its text, then end.
void json_list_begin(json_object* o, const char* key);
void json_list_item(int index);
void json_list_end(int count);
void json_quoted(const char* text);  // "text", escaped

#endif
