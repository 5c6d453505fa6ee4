"""Models, simulations and recordings as pages."""

import json
import re

import pytest
import trammel


def data_of(page):
    return json.loads(re.search(r'id="trammel-data">(.*?)</script>', page, re.S)[1])


def test_a_page_holds_the_run(box, tmp_path):
    sim = box.sim()
    with trammel.Recorder(sim, tmp_path / "run.npz", "pose,energy,contacts") as recorder:
        for _ in range(20):
            sim.step()
            recorder.write()
    view = trammel.View(box, tmp_path / "run.npz", note="a note")
    assert len(view.recording) == 21
    page = view.html()
    data = data_of(page)
    assert data["model"]["bodies"]["names"] == ["box"] and data["model"]["note"] == "a note"
    # nothing is fetched
    assert "default-src 'none'" in page and not re.search(r'(src|href)="http', page)
    view.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text() == page
    shown = view._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<script" not in shown


def test_models_and_simulations_show_themselves(pendulum):
    assert "trammel-data" in pendulum._repr_html_()
    sim = pendulum.sim(step=0.01)
    sim.step(steps=10)
    import base64
    import struct

    for shown, time in ((sim, 0.1), (pendulum, 0.0)):
        view = trammel.View(pendulum, shown if shown is sim else None)
        times = base64.b64decode(data_of(view.html())["times"])
        assert struct.unpack(f"<{len(times) // 8}d", times) == (pytest.approx(time),)
    with pytest.raises(trammel.Error):
        trammel.View(pendulum, "none.npz")


def test_a_model_that_cannot_run_still_has_its_words():
    scene = {"bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}]}
    scene["joints"] = [
        {"name": n, "type": "fixed", "base": "world", "follower": "a", "position": [x, 0, 0], "follower_frame": {"position": [0, 0, 0]}}
        for n, x in (("one", 1), ("two", 2))
    ]
    model = trammel.Model.from_dict(scene)
    assert model._repr_html_() is None and "1 bodies" in repr(model)
    with pytest.raises(trammel.Error):
        trammel.View(model)
