// trammel/trammel.h - everything.
#ifndef TRAMMEL_TRAMMEL_H
#define TRAMMEL_TRAMMEL_H

#include <trammel/assemble.h>
#include <trammel/batch.h>
#include <trammel/contact.h>
#include <trammel/derivatives.h>
#include <trammel/doctor.h>
#include <trammel/dynamics.h>
#include <trammel/events.h>
#include <trammel/inputs.h>
#include <trammel/model.h>
#include <trammel/problem.h>
#include <trammel/query.h>
#include <trammel/record.h>
#include <trammel/recording.h>
#include <trammel/scene.h>
#include <trammel/sensor.h>
#include <trammel/sim.h>
#include <trammel/state.h>
#include <trammel/statics.h>
#include <trammel/step.h>
#include <trammel/sweep.h>
#include <trammel/sweep_results.h>
#include <trammel/time.h>

#endif
