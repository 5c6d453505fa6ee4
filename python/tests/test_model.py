"""Models: reading, names, errors with the library's sentence."""

import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
import trammel

from conftest import BOX, PENDULUM

MJCF = """<mujoco model="leg"><worldbody><body name="thigh" pos="0 0 1"><joint name="hip" axis="0 1 0"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4" mass="2"/><body name="shin" pos="0 0 -0.4">
<joint name="knee" axis="0 1 0"/><geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4" mass="1"/></body></body>
</worldbody><actuator><motor joint="knee" gear="10"/></actuator></mujoco>"""


def test_names_and_counts(pendulum):
    assert pendulum.name == "pendulum" and pendulum.bodies == ["rod"] and pendulum.joints == ["pin"]
    assert (pendulum.nbody, pendulum.njoint, pendulum.nu, pendulum.nq, pendulum.nv) == (1, 1, 1, 1, 1)
    assert pendulum.coordinates == ["pin.rx"] and pendulum.controls == ["pin.rx"] and pendulum.inputs == []
    assert pendulum.body("rod") == 0 and pendulum.body("world") == -1 and pendulum.joint(0) == 0
    assert pendulum.mass == 1.0 and pendulum.loops == 0
    np.testing.assert_allclose(pendulum.gravity, [0, 0, -9.81])
    assert "pendulum" in repr(pendulum) and "1 bodies" in repr(pendulum)


def test_mjcf_is_read_and_written(tmp_path):
    model = trammel.Model.from_xml(MJCF)
    assert model.bodies == ["thigh", "shin"] and model.nu == 1
    assert model.mass == pytest.approx(3.0)
    path = tmp_path / "leg.xml"
    path.write_text(MJCF)
    again = trammel.Model.from_file(path)
    resolved = trammel.Model.from_json(again.to_json())
    a, b = again.sim(step=0.001).step(steps=50), resolved.sim(step=0.001).step(steps=50)
    np.testing.assert_array_equal(a.poses, b.poses)
    resolved.to_file(tmp_path / "leg.json")
    assert json.loads((tmp_path / "leg.json").read_text())["bodies"]


def test_errors_are_exceptions_with_a_sentence(tmp_path):
    with pytest.raises(trammel.BadFile, match="nowhere.json"):
        trammel.Model.from_file(tmp_path / "nowhere.json")
    with pytest.raises(trammel.BadArgument, match="did you mean 'name'"):
        trammel.Model.from_dict({"bodies": [{"nam": "a"}]})
    model = trammel.Model.from_dict(PENDULUM)
    with pytest.raises(trammel.BadArgument, match="no body 'rood'"):
        model.body("rood")
    with pytest.raises(trammel.BadArgument, match="no formulation 'best'"):
        model.sim(formulation="best")
    with pytest.raises(trammel.BadArgument, match="no setting 'stepp'"):
        model.sim(stepp=0.1)
    with pytest.raises(trammel.BadArgument, match="no setting 'contact.hard'"):
        model.sim(contact={"hard": 1})
    with pytest.raises(trammel.Unsupported):
        model.sim(formulation="generalized", integrator="variational")
    with pytest.raises(ValueError):  # each is what Python calls such a thing, too
        model.sim(step=-1.0)
    assert issubclass(trammel.BadFile, OSError) and issubclass(trammel.Error, RuntimeError)


def test_open_loops_are_assembled():
    half = 0.5**0.5
    up = [half, 0, -half, 0]
    scene = {
        "bodies": [
            {"name": "crank", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [0, 0, 0.5], "orientation": up},
            {"name": "rod", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [1, 0, 1.003]},
            {"name": "rocker", "mass": 1, "inertia": [0.01, 0.1, 0.1], "position": [2, 0, 0.5], "orientation": up},
        ],
        "joints": [
            {"name": "a", "type": "revolute", "base": "world", "follower": "crank", "position": [0, 0, 0], "axis": [0, 1, 0]},
            {"name": "b", "type": "revolute", "base": "crank", "follower": "rod", "position": [0, 0, 1], "axis": [0, 1, 0],
             "follower_frame": {"position": [0, 0, 1.003], "axis": [0, 1, 0]}},
            {"name": "c", "type": "revolute", "base": "rod", "follower": "rocker", "position": [2, 0, 1], "axis": [0, 1, 0]},
            {"name": "d", "type": "revolute", "base": "world", "follower": "rocker", "position": [2, 0, 0], "axis": [0, 1, 0]},
        ],
    }
    with pytest.raises(trammel.BadArgument, match="'b' 0.003 m"):
        trammel.Model.from_dict(scene).sim()
    sim = trammel.Model.from_dict(scene, assemble=True).sim()
    assert sim.step(steps=50).gap < 1e-9


def test_structs_have_the_sizes_of_a_compiler(tmp_path):
    """Declarations were taken from the headers by a script: a compiler says whether rightly."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    include = pathlib.Path(__file__).resolve().parents[2] / "include"
    if compiler is None or not include.exists():
        pytest.skip("needs a compiler and the headers")
    structs = sorted(
        name
        for name in trammel.ffi.list_types()[0]
        if trammel.ffi.typeof(name).kind == "struct" and trammel.ffi.typeof(name).fields
    )
    assert len(structs) > 40
    lines = [f'printf("{name} %zu\\n", sizeof({name}));' for name in structs]
    for name in structs:
        for field, _ in trammel.ffi.typeof(name).fields:
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
    source = "#include <stdio.h>\n#include <stddef.h>\n#include <trammel/trammel.h>\nint main(void) {" + "\n".join(lines) + "}"
    (tmp_path / "sizes.c").write_text(source)
    subprocess.run([compiler, "-I", include, "sizes.c", "-o", "sizes"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "sizes"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in told:
        name, size = line.split()
        struct, _, field = name.partition(".")
        ours = trammel.ffi.offsetof(struct, field) if field else trammel.ffi.sizeof(struct)
        assert ours == int(size), name


def test_every_declared_function_is_there_and_explained():
    declared = [name for name in dir(trammel.lib) if name.startswith("tml_")]
    assert len(declared) > 250
    for name in declared:
        getattr(trammel.lib, name)
    assert "state is exactly what it was" in trammel.remark("tml_sim_step")
    assert trammel.__version__.count(".") == 2
    for cls in (trammel.Model, trammel.Sim, trammel.Batch, trammel.Dynamics, trammel.Recording, trammel.Problem):
        for name, member in vars(cls).items():
            if not name.startswith("_"):
                assert getattr(member, "__doc__", None), f"{cls.__name__}.{name} says nothing"


def test_contact_settings_come_from_the_file_and_change():
    model = trammel.Model.from_dict(BOX)
    assert model.step == 0.005
    sim = model.sim()
    sim.step(steps=20)
    assert len(sim.contacts) == 4
    free = model.sim(contact=False)
    free.step(steps=20)
    assert len(free.contacts) == 0 and free.poses[0, 2] < 0.1
    assert model.sim(contact={"max_contacts": 50}).step(steps=5).time == pytest.approx(0.025)
