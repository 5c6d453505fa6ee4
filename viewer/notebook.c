// viewer/notebook.c - what the viewer's page needs to show a model or a recording in a notebook: a library beside the
// shared one, so that this holds no page.
#include "viewer/describe.h"
#include "viewer/stage.h"

#include <stdio.h>
#include <stdlib.h>

__attribute__((visibility("default"))) char* trammel_page(const tml_model* model,
                                                          const tml_recording* recording,
                                                          const char* note, size_t most, char* why,
                                                          size_t capacity);
__attribute__((visibility("default"))) void trammel_page_free(char* page);

// The replay of a recording as the JSON of a page without a server, thinned to about `most` bytes; NULL with a sentence
// in `why` where that cannot be. Freed by trammel_page_free.
char* trammel_page(const tml_model* model, const tml_recording* recording, const char* note,
                   size_t most, char* why, size_t capacity)
{
    stage s = {0};
    text page = {0};
    const tml_status status = stage_open_recording(&s, model, recording, most);
    if (status == TML_OK) {
        describe_replay(&s, note, most, &page);
    } else {
        snprintf(why, capacity, "%s", s.message[0] != '\0' ? s.message : tml_status_name(status));
    }
    stage_close(&s);
    if (!page.is_broken) return page.data;
    snprintf(why, capacity, "out of memory");
    text_free(&page);
    return NULL;
}

void trammel_page_free(char* page) { free(page); }
