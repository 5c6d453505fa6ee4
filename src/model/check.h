// model/check.h - what makes a definition acceptable. Each check writes one sentence that names the
// element and the number.
#ifndef TML_MODEL_CHECK_H
#define TML_MODEL_CHECK_H

#include "model/spec.h"

// `what` names the shape and its owner.
tml_status tml__check_shape_lists(const tml_shape_def* shape, const char* what, message* why);
tml_status tml__check_shape(const tml_shape_def* shape, const char* what, message* why);
// Two different bodies of the spec, the world among them.
tml_status tml__check_pair(const definitions* all, tml_body a, tml_body b, const char* what,
                           message* why);
tml_status tml__check_body(const tml_body_def* def, message* why);
tml_status tml__check_joint(const definitions* all, const tml_joint_def* def, message* why);
tml_status tml__check_coupling(const definitions* all, const tml_coupling_def* def, message* why);
tml_status tml__check_nonholonomic(const definitions* all, const tml_nonholonomic_def* def,
                                   message* why);
tml_status tml__check_spring(const definitions* all, const tml_spring_def* def, message* why);
tml_status tml__check_wrench(const definitions* all, const tml_wrench_def* def, message* why);
tml_status tml__check_drag(const definitions* all, const tml_drag_def* def, message* why);

// Is axis one of the free axes of this joint?
int tml__joint_is_free(const tml_joint_def* def, tml_axis axis);

#endif
