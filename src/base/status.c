// base/status.c - names of statuses and the version.
#include <trammel/base.h>

#define TEXT(x)          #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char* tml_version(void)
{
    return VERSION(TML_VERSION_MAJOR, TML_VERSION_MINOR, TML_VERSION_PATCH);
}

const char* tml_status_name(tml_status status)
{
    switch (status) {
    case TML_OK: return "TML_OK";
    case TML_BAD_ARGUMENT: return "TML_BAD_ARGUMENT";
    case TML_NO_MEMORY: return "TML_NO_MEMORY";
    case TML_UNSUPPORTED: return "TML_UNSUPPORTED";
    case TML_BAD_FILE: return "TML_BAD_FILE";
    case TML_TOO_MANY_CONTACTS: return "TML_TOO_MANY_CONTACTS";
    case TML_CANCELLED: return "TML_CANCELLED";
    case TML_NOT_CONVERGED: return "TML_NOT_CONVERGED";
    case TML_SINGULAR: return "TML_SINGULAR";
    case TML_INFEASIBLE: return "TML_INFEASIBLE";
    }
    return "unknown status";
}
