// app/ranks.c - loads the MPI module and joins the processes of its job.

#include "app/ranks.h"

#include "app/modules.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What launchers leave in the environment: how many processes there are.
bool ranks_are_wanted(void)
{
    static const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PRTE_LAUNCHED"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char* value = getenv(names[i]);
        if (value != NULL && atoi(value) >= 1) return true;
    }
    return false;
}

static void* load_module(char* why, size_t capacity)
{
    char path[4096];
    why[0] = '\0';
    if (!module_find("mpi", path, sizeof path)) return NULL;
    // libraries that MPI loads by itself look for its symbols
    void* module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (module == NULL) snprintf(why, capacity, "%s", dlerror());
    return module;
}

int ranks_begin(rank_group* r)
{
    char why[512];
    void* module = load_module(why, sizeof why);
    if (module == NULL) {
        app_error("started by mpirun, but the MPI module cannot be loaded%s%s; build trammel where "
                  "OpenMPI is installed (libopenmpi-dev)",
                  why[0] != '\0' ? ": " : ": there is no libtrammel_mpi.so beside the tool", why);
        return APP_BAD_INPUT;
    }
    const ranks_module* m = dlsym(module, "trammel_ranks");
    if (m == NULL || m->version != RANKS_VERSION) {
        app_error("libtrammel_mpi.so is of another version of trammel");
        return APP_BAD_INPUT;
    }
    if (m->begin(&r->of, why, sizeof why) != 0) {
        app_error("MPI: %s", why);
        return APP_BAD_INPUT;
    }
    r->module = m;
    r->rank = r->of.rank;
    r->count = r->of.count;
    return APP_DONE;
}

void ranks_end(rank_group* r, int code)
{
    if (r->module != NULL) r->module->end(&r->of, code);
    r->module = NULL;
}
