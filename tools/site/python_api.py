"""The reference of the Python package, from its sources (nothing is imported): Markdown on standard output.

    python3 tools/site/python_api.py python/trammel
"""

import ast
import inspect
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
# what is read first; the others come behind
ORDER = "model sim query recording sweeps problem rollout batch dynamics step derivatives torch jax gym _library".split()


def words(node):
    return inspect.cleandoc(ast.get_docstring(node, clean=False) or "")


def sentences(node):
    """The docstring with its indented examples as blocks of code."""
    out, inside = [], False
    for line in words(node).split("\n"):
        code = line.startswith("    ")
        if code != inside and line.strip():
            out.append("```python" if code else "```")
            inside = code
        out.append(line[4:] if inside else line)
    return "\n".join(out + (["```"] if inside else []))


def signature(function):
    given = ast.unparse(function.args)
    for own in ("self, ", "cls, ", "self", "cls"):
        if given.startswith(own):
            given = given[len(own) :]
            break
    return f"{function.name}({given})"


def members(node):
    """Public methods and properties, with what is said about them."""
    for item in node.body:
        if not isinstance(item, ast.FunctionDef) or item.name.startswith("_"):
            continue
        marks = [ast.unparse(d) for d in item.decorator_list]
        if any(m.endswith(".setter") for m in marks):
            continue
        said = " ".join(words(item).split())
        if not said and node.bases:
            continue  # as the class above says
        if not said:
            raise SystemExit(f"{node.name}.{item.name} says nothing about itself")
        name = item.name if "property" in marks else signature(item)
        yield name, said.replace("|", "\\|")


def page():
    print("# Python interface\n")
    print("Made from the package's own words; `help(trammel.Sim)` says the same. How it fits together: [Python](../python.md).\n")
    files = {p.stem: p for p in folder.glob("*.py") if p.stem not in ("__init__", "_declarations", "scenes")}
    for stem in [*ORDER, *sorted(files.keys() - set(ORDER))]:
        path = files[stem]
        tree = ast.parse(path.read_text())
        module = "trammel" if stem not in ("torch", "jax", "gym") else f"trammel.{stem}"
        for node in tree.body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_") or not words(node):
                continue
            if isinstance(node, ast.FunctionDef):
                if module == "trammel" and node.name not in public:
                    continue
                print(f"## {module}.{node.name}\n\n```python\n{signature(node)}\n```\n\n{sentences(node)}\n")
                continue
            if module == "trammel" and node.name not in public:
                continue
            start = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
            print(f"## {module}.{node.name}\n")
            if start is not None:
                print(f"```python\n{signature(start).replace('__init__', node.name)}\n```\n")
            print(sentences(node) + "\n")
            rows = list(members(node))
            if rows:
                print("| | |\n|---|---|")
                for name, said in rows:
                    print(f"| `{name}` | {said} |")
                print()


top = ast.parse((folder / "__init__.py").read_text())
public = next(ast.literal_eval(n.value) for n in top.body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__")
page()
