// fmi/unused.c - functions of FMI 3.0 that a loader looks for and this unit has no use for: other types than
// Float64, clocks, events, model exchange, scheduled execution. Each says so by fmi3Error, unless nothing is asked.
#include "fmi/fmi3.h"

// NOLINTBEGIN: the names and lists of arguments are the standard's

typedef const fmi3ValueReference* references;

// Values of a type that no variable has.
#define NONE_OF(type)                                                                              \
    FMI3_API fmi3Status fmi3Get##type(fmi3Instance, references, size_t, fmi3##type*, size_t);      \
    fmi3Status fmi3Get##type(fmi3Instance u, references r, size_t n, fmi3##type* x, size_t m)      \
    {                                                                                              \
        (void)u, (void)r, (void)x, (void)m;                                                        \
        return n == 0 ? fmi3OK : fmi3Error;                                                        \
    }                                                                                              \
    FMI3_API fmi3Status fmi3Set##type(fmi3Instance, references, size_t, const fmi3##type*,         \
                                      size_t);                                                     \
    fmi3Status fmi3Set##type(fmi3Instance u, references r, size_t n, const fmi3##type* x,          \
                             size_t m)                                                             \
    {                                                                                              \
        (void)u, (void)r, (void)x, (void)m;                                                        \
        return n == 0 ? fmi3OK : fmi3Error;                                                        \
    }

NONE_OF(Float32)
NONE_OF(Int8)
NONE_OF(UInt8)
NONE_OF(Int16)
NONE_OF(UInt16)
NONE_OF(Int32)
NONE_OF(UInt32)
NONE_OF(Int64)
NONE_OF(UInt64)
NONE_OF(Boolean)
NONE_OF(String)

// A function that is not offered, whatever it is given.
#define NOT_OFFERED(name, ...)                                                                     \
    FMI3_API fmi3Status name(__VA_ARGS__);                                                         \
    fmi3Status name(__VA_ARGS__) { return fmi3Error; }

#pragma GCC diagnostic ignored "-Wunused-parameter"

NOT_OFFERED(fmi3GetBinary, fmi3Instance u, references r, size_t n, size_t* sizes, fmi3Binary* x, size_t m)
NOT_OFFERED(fmi3SetBinary, fmi3Instance u, references r, size_t n, const size_t* sizes, const fmi3Binary* x, size_t m)
NOT_OFFERED(fmi3GetClock, fmi3Instance u, references r, size_t n, fmi3Clock* x)
NOT_OFFERED(fmi3SetClock, fmi3Instance u, references r, size_t n, const fmi3Clock* x)
NOT_OFFERED(fmi3EnterEventMode, fmi3Instance u)
NOT_OFFERED(fmi3EnterConfigurationMode, fmi3Instance u)
NOT_OFFERED(fmi3ExitConfigurationMode, fmi3Instance u)
NOT_OFFERED(fmi3GetNumberOfVariableDependencies, fmi3Instance u, fmi3ValueReference r, size_t* n)
NOT_OFFERED(fmi3GetVariableDependencies, fmi3Instance u, fmi3ValueReference r, size_t* dependents, fmi3ValueReference* independents, size_t* elements, fmi3DependencyKind* kinds, size_t n)
NOT_OFFERED(fmi3GetIntervalDecimal, fmi3Instance u, references r, size_t n, fmi3Float64* x, fmi3IntervalQualifier* q)
NOT_OFFERED(fmi3GetIntervalFraction, fmi3Instance u, references r, size_t n, fmi3UInt64* x, fmi3UInt64* y, fmi3IntervalQualifier* q)
NOT_OFFERED(fmi3GetShiftDecimal, fmi3Instance u, references r, size_t n, fmi3Float64* x)
NOT_OFFERED(fmi3GetShiftFraction, fmi3Instance u, references r, size_t n, fmi3UInt64* x, fmi3UInt64* y)
NOT_OFFERED(fmi3SetIntervalDecimal, fmi3Instance u, references r, size_t n, const fmi3Float64* x)
NOT_OFFERED(fmi3SetIntervalFraction, fmi3Instance u, references r, size_t n, const fmi3UInt64* x, const fmi3UInt64* y)
NOT_OFFERED(fmi3SetShiftDecimal, fmi3Instance u, references r, size_t n, const fmi3Float64* x)
NOT_OFFERED(fmi3SetShiftFraction, fmi3Instance u, references r, size_t n, const fmi3UInt64* x, const fmi3UInt64* y)
NOT_OFFERED(fmi3EvaluateDiscreteStates, fmi3Instance u)
NOT_OFFERED(fmi3UpdateDiscreteStates, fmi3Instance u, fmi3Boolean* again, fmi3Boolean* ends, fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* has_next, fmi3Float64* next)
NOT_OFFERED(fmi3EnterContinuousTimeMode, fmi3Instance u)
NOT_OFFERED(fmi3CompletedIntegratorStep, fmi3Instance u, fmi3Boolean keeps, fmi3Boolean* event, fmi3Boolean* ends)
NOT_OFFERED(fmi3SetTime, fmi3Instance u, fmi3Float64 t)
NOT_OFFERED(fmi3SetContinuousStates, fmi3Instance u, const fmi3Float64* x, size_t n)
NOT_OFFERED(fmi3GetContinuousStateDerivatives, fmi3Instance u, fmi3Float64* x, size_t n)
NOT_OFFERED(fmi3GetEventIndicators, fmi3Instance u, fmi3Float64* x, size_t n)
NOT_OFFERED(fmi3GetContinuousStates, fmi3Instance u, fmi3Float64* x, size_t n)
NOT_OFFERED(fmi3GetNominalsOfContinuousStates, fmi3Instance u, fmi3Float64* x, size_t n)
NOT_OFFERED(fmi3GetNumberOfEventIndicators, fmi3Instance u, size_t* n)
NOT_OFFERED(fmi3GetNumberOfContinuousStates, fmi3Instance u, size_t* n)
NOT_OFFERED(fmi3ActivateModelPartition, fmi3Instance u, fmi3ValueReference clock, fmi3Float64 t)

FMI3_API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                   fmi3String resources, fmi3Boolean is_visible,
                                                   fmi3Boolean is_logging,
                                                   fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback log);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean is_visible, fmi3Boolean is_logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log)
{
    if (log != NULL) log(environment, fmi3Error, "logStatusError", "a unit of co-simulation only");
    return NULL;
}

FMI3_API fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean is_visible,
    fmi3Boolean is_logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock);
fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean is_visible,
    fmi3Boolean is_logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock)
{
    if (log != NULL) log(environment, fmi3Error, "logStatusError", "a unit of co-simulation only");
    return NULL;
}

// NOLINTEND
