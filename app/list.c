// app/list.c - `trammel list`: what this build knows, from the tables the library itself uses.
#include "app/app.h"

#include <stdio.h>

static const char* or_dash(const char* text) { return text[0] != '\0' ? text : "-"; }

static void list_joints(void)
{
    printf("joints         slides along  turns about   (axes of the joint frame)\n");
    for (int i = 0; i < TML_JOINT_KINDS; i++) {
        const tml_joint_kind kind = (tml_joint_kind)i;
        printf("  %-12s %-13s %s\n", tml_joint_kind_name(kind),
               or_dash(tml_joint_kind_slides(kind)), or_dash(tml_joint_kind_turns(kind)));
    }
}

static bool is_known(tml_formulation formulation)
{
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        if (tml_pairing_exists(formulation, (tml_integrator)i)) return true;
    }
    return false;
}

// One line a pair that this build can run; the formulation's default comes with a star.
static void list_pairs(void)
{
    printf("\nformulations and their integrators   (* default)\n");
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        const tml_formulation formulation = (tml_formulation)f;
        if (!is_known(formulation)) {
            printf("  %s: not in this version\n", tml_formulation_name(formulation));
            continue;
        }
        printf("  %s\n", tml_formulation_name(formulation));
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            const tml_integrator integrator = (tml_integrator)i;
            if (!tml_pairing_exists(formulation, integrator)) continue;
            const bool is_default = tml_formulation_default_integrator(formulation) == integrator;
            printf("  %c %-22s %s\n", is_default ? '*' : ' ', tml_integrator_name(integrator),
                   tml_pairing_remark(formulation, integrator));
        }
    }
}

static void list_nodal(void)
{
    printf("  deformables without bodies, in any formulation\n");
    for (int i = 0; i < TML_INTEGRATORS; i++) {
        const tml_integrator integrator = (tml_integrator)i;
        if (!tml_pairing_exists_nodal(integrator)) continue;
        printf("  %c %-22s %s\n", integrator == TML_TIME_BDF2 ? '*' : ' ',
               tml_integrator_name(integrator), tml_pairing_remark_nodal(integrator));
    }
}

static void list_solvers(void)
{
    printf("\nsolvers\n ");
    for (int i = 0; i < TML_SOLVERS; i++) printf(" %s", tml_solver_name((tml_solver)i));
    printf("\n");
}

static void list_formats(void)
{
    printf("\nformats\n"
           "  scenes        JSON (.json), read and written; MJCF (.xml), URDF (.urdf),\n"
           "                read and written; SDF, read\n"
           "  tetrahedra    Gmsh (.msh, 2.2 and 4.1 ASCII), TetGen (.node with .ele), read\n"
           "  recordings    CSV (.csv), NPZ (.npz), read and written; GLB (.glb), MCAP (.mcap), "
           "written\n"
           "  plots         SVG (.svg), PNG (.png), written\n");
}

// Long and narrow: a feature a column would not fit any screen.
static void list_support(void)
{
    printf("what each pairing has   (y: yes, .: no)\n");
    for (int f = 0; f < TML_FEATURES; f++) {
        for (int i = 0; i < f; i++) printf("%s", " |");
        printf(" %s\n", tml_feature_name((tml_feature)f));
    }
    for (int f = 0; f < TML_FORMULATIONS; f++) {
        for (int i = 0; i < TML_INTEGRATORS; i++) {
            const tml_formulation formulation = (tml_formulation)f;
            const tml_integrator integrator = (tml_integrator)i;
            if (!tml_pairing_exists(formulation, integrator)) continue;
            for (int k = 0; k < TML_FEATURES; k++) {
                const bool has = tml_pairing_supports(formulation, integrator, (tml_feature)k);
                printf(" %c", has ? 'y' : '.');
            }
            printf("  %s, %s\n", tml_formulation_name(formulation),
                   tml_integrator_name(integrator));
        }
    }
}

static const option list_options[] = {
    {"support", OPTION_FLAG, NULL, "a table of which formulation and integrator have what", 0, 0},
};

static int list(const arguments* given)
{
    if (option_is_given(given, "support")) {
        list_support();
        return app_finish_output();
    }
    list_joints();
    list_pairs();
    list_nodal();
    list_solvers();
    list_formats();
    return app_finish_output();
}

const command command_list = {
    "list",
    "",
    "joints, formulations and integrators, solvers, formats",
    "Prints the joints, which integrators go with which formulation, the solvers and the file\n"
    "formats of this build.",
    {{sizeof list_options / sizeof list_options[0], list_options}, {0, NULL}},
    0,
    0,
    list,
};
