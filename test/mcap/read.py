"""Recordings as MCAP, read by other people's readers and compared with the same run as CSV.

    read.py TRAMMEL FOLDER
"""

import csv
import math
import subprocess
import sys
from pathlib import Path

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])
SCENES = {
    "joint-zoo": ["--duration", "0.5"],
    "half-cheetah": ["--duration", "1.2"],
    "gears": ["--duration", "0.5"],
}


def run(scene, words, name):
    subprocess.run(
        [TOOL, "run", f"scene:{scene}", *words, "--out", str(FOLDER / name)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return FOLDER / name


def table(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        head = next(rows)
        return [dict(zip(head, map(float, row))) for row in rows]


def near(a, b):
    assert abs(a - b) <= 1e-15 * max(1.0, abs(b)), (a, b)


def check_pose(translation, rotation, row, name):
    for letter in "xyz":
        near(getattr(translation, letter), row[f"{name}.p{letter}"])
    side = math.copysign(
        1.0, sum(getattr(rotation, k) * row[f"{name}.q{k}"] for k in "wxyz")
    )
    for letter in "wxyz":
        near(side * getattr(rotation, letter), row[f"{name}.q{letter}"])


def check_joint(joints, k, row):
    name = joints.name[k]
    candidates = [name] if f"{name}.fx" in row else []
    columns = [
        c for c in row if c == name or any(c == f"{j}.{a}" for j in candidates for a in AXES)
    ]
    assert len(columns) == 1, (name, columns)
    near(joints.position[k], row[columns[0]])
    near(joints.velocity[k], row[columns[0] + ".rate"])
    joint, axis = columns[0].rsplit(".", 1)
    near(joints.effort[k], row[f"{joint}.{'f' if axis[0] == 't' else 'm'}{axis[1]}"])


AXES = ["tx", "ty", "tz", "rx", "ry", "rz"]


def check_state(topic, m, row, bodies):
    if topic == "/tf":
        assert [t.child_frame_id for t in m.transforms] == bodies
        for t in m.transforms:
            assert t.header.frame_id == "world"
            check_pose(t.transform.translation, t.transform.rotation, row, t.child_frame_id)
    elif topic == "/poses":
        for pose, name in zip(m.poses, bodies, strict=True):
            check_pose(pose.position, pose.orientation, row, name)
    elif topic == "/velocities":
        assert m.name == bodies
        for twist, name in zip(m.twist, m.name, strict=True):
            for letter in "xyz":
                near(getattr(twist.linear, letter), row[f"{name}.v{letter}"])
                near(getattr(twist.angular, letter), row[f"{name}.w{letter}"])
    elif topic == "/joint_states":
        for k in range(len(m.name)):
            check_joint(m, k, row)
    elif topic == "/energy":
        for name in ("kinetic", "potential", "total"):
            near(getattr(m, name), row[f"energy.{name}"])
    elif topic == "/gap":
        near(m.data, row["gap"])


def check_contacts(messages, path):
    with open(path, newline="") as file:
        lines = list(csv.DictReader(file))
    contacts = [(t, c) for t, m in messages for c in m.contacts]
    assert len(contacts) == len(lines), (len(contacts), len(lines))
    for (t, c), line in zip(contacts, lines):
        assert abs(t - float(line["t"])) < 1e-9
        assert (c.a, c.b) == (line["a"], line["b"])
        near(c.gap, float(line["gap"]))
        for field, letter in (("position", "p"), ("normal", "n"), ("force", "f")):
            for axis in "xyz":
                near(getattr(getattr(c, field), axis), float(line[letter + axis]))
    return len(contacts)


def check_scene(scene, words):
    everything = ["--record", "pose,velocity,joints,energy,gap,contacts"]
    mcap = run(scene, words, f"{scene}.mcap")
    rows = table(run(scene, words + everything, f"{scene}.csv"))
    bodies = [c[:-3] for c in rows[0] if c.endswith(".px")]
    with open(mcap, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        summary = reader.get_summary()
        counts = {}
        contacts = []
        for _, channel, message, decoded in reader.iter_decoded_messages():
            k = counts.get(channel.topic, 0)
            counts[channel.topic] = k + 1
            if channel.topic == "/shapes":
                assert all(x.header.frame_id in [*bodies, "world"] for x in decoded.markers)
                continue
            assert abs(message.log_time * 1e-9 - rows[k]["t"]) < 1e-9
            check_state(channel.topic, decoded, rows[k], bodies)
            if channel.topic == "/contacts":
                contacts.append((message.log_time * 1e-9, decoded))
        assert summary.statistics.message_count == sum(counts.values())
        assert all(n == len(rows) for t, n in counts.items() if t != "/shapes"), counts
        # the index leads to a stretch of time
        half = int(rows[-1]["t"] * 0.5e9)
        some = list(reader.iter_decoded_messages(topics=["/gap"], starting_at=half))
        assert 0 < len(some) < len(rows)
        assert min(m.log_time for _, _, m, _ in some) >= half
    touched = check_contacts(contacts, FOLDER / f"{scene}.contacts.csv")
    assert touched > 0 or scene != "half-cheetah"
    check_rosbags(mcap, counts)
    print(f"{scene}: {len(rows)} states, {sum(counts.values())} messages, {touched} contacts")


def check_rosbags(mcap, counts):
    with AnyReader([mcap]) as reader:
        met = {}
        for connection, _, raw in reader.messages():
            reader.deserialize(raw, connection.msgtype)
            met[connection.topic] = met.get(connection.topic, 0) + 1
        assert met == counts, (met, counts)


FOLDER.mkdir(parents=True, exist_ok=True)
for scene, words in SCENES.items():
    check_scene(scene, words)

# a recording that was cut off by a kill: everything up to its last whole chunk
whole = (FOLDER / "half-cheetah.mcap").read_bytes()
(FOLDER / "cut.mcap").write_bytes(whole[: len(whole) // 2])
from mcap.stream_reader import StreamReader  # noqa: E402
from mcap.exceptions import EndOfFile  # noqa: E402
from mcap.records import Message  # noqa: E402

met = 0
with open(FOLDER / "cut.mcap", "rb") as file:
    try:
        for record in StreamReader(file).records:
            met += isinstance(record, Message)
    except EndOfFile:
        pass
assert met > 100, met
