// model/names.h - a hash table from names to indices. Names are borrowed.
#ifndef TML_MODEL_NAMES_H
#define TML_MODEL_NAMES_H

typedef struct name_table name_table;

name_table* tml__names_create(void);  // NULL without memory
void tml__names_destroy(name_table* t);
int tml__names_find(const name_table* t, const char* name);      // -1 when absent
int tml__names_add(name_table* t, const char* name, int index);  // 0 without memory

#endif
