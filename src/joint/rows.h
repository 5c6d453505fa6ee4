// joint/rows.h - which rows hold a joint: the held axes, and the free axes driven to a position.
//
// Dots are taken between axes that the targets have turned first [QRBD (22) (23)]: the first
// driven letter turns the base's axes forwards, the last one the follower's axes back, so that a
// driven joint has the rows of a fixed one at every target.
#ifndef TML_JOINT_ROWS_H
#define TML_JOINT_ROWS_H

#include "joint/coordinate.h"

typedef enum row_kind {
    ROW_GAP,    // a gap with the target of its axis
    ROW_DOT,    // a dot between turned axes
    ROW_ANGLE,  // coordinate minus target: where one or two of three rotations are driven
} row_kind;

typedef struct joint_row {
    row_kind kind;
    tml_axis axis;  // what it holds: names the row, its weight and its compliance
    atom a;         // gap, dot
} joint_row;

typedef struct joint_rows {
    int count;
    joint_row row[6];
    int base_letter;        // the letter that turns the base's axes; -1: none
    int follower_letter;    // the letter that turns the follower's axes back; -1: none
    bool turns_all;         // all three letters turn the follower back
    bool is_consistent[3];  // F'_a . B'_a must stay positive: no flip   [QRBD Sec 4]
} joint_rows;

void tml__joint_rows(const joint_data* j, joint_rows* out);

// How the targets turn the two markers at one instant, and how that turning moves.
typedef struct joint_turn {
    mat3 base, follower;                  // columns: the new axes in terms of the old
    bool has_base, has_follower;          // false: identity
    vec3 base_spin, base_change;          // angular velocity and acceleration of the turn, in the
    vec3 follower_spin, follower_change;  // marker's own axes (the follower's: turned axes)
} joint_turn;

// `targets`: one drive per axis of the joint.
void tml__joint_turn(const joint_data* j, const joint_rows* rows, const drive targets[TML_AXES],
                     joint_turn* out);

#endif
