// tools/install_probe/main.c - a user's first program: does the installed library link and step?
#include <trammel/trammel.h>

#include <stdio.h>

int main(void)
{
    tml_spec* spec = tml_spec_create();
    tml_body_def def = tml_body_def_default();
    def.name = "bob";
    def.mass = 1.0;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 0.1;
    const tml_body body = tml_spec_add_body(spec, &def);

    tml_model* model = NULL;
    tml_sim* sim = NULL;
    const tml_sim_settings settings = tml_sim_settings_default();
    tml_status status = tml_spec_build(spec, &model);
    if (status == TML_OK) status = tml_sim_create(model, &settings, &sim);
    if (status == TML_OK) status = tml_sim_step(sim, NULL);

    const int has_fallen = status == TML_OK && tml_sim_pose(sim, body).p.z < 0.0;
    if (has_fallen)
        printf("trammel %s\n", tml_version());
    else
        printf("%s: %s\n", tml_status_name(status), tml_spec_message(spec));

    tml_sim_destroy(sim);
    tml_model_destroy(model);
    tml_spec_destroy(spec);
    return !has_fallen;
}
