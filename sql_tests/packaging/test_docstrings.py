"""Public functions, classes and methods say what they are for, unless a base class or protocol does."""

import ast
from collections.abc import Iterator

from product_tree import ROOT, modules

FOLDERS = ("engine", "physical", "planner")

Definition = ast.FunctionDef | ast.ClassDef


def public(body: list[ast.stmt]) -> Iterator[Definition]:
    """The public functions and classes defined in a body."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node


def class_name(base: ast.expr) -> str:
    """The last name of a base class, without its type arguments."""
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def undocumented(trees: dict[str, ast.Module]) -> list[str]:
    """FILE: NAME of what has no docstring. A method may leave it to its namesake in a class above."""
    everything = [node for tree in trees.values() for node in ast.walk(tree)]
    classes = {node.name: node for node in everything if isinstance(node, ast.ClassDef)}
    documented = {
        node.name: {m.name for m in public(node.body) if ast.get_docstring(m)} for node in classes.values()
    }
    # Backends, tables and operators meet a protocol by their form alone.
    protocols = [name for name, node in classes.items() if "Protocol" in map(class_name, node.bases)]
    promised = {name for protocol in protocols for name in documented[protocol]}

    def inherited(owner: ast.ClassDef, name: str) -> bool:
        bases = [b for b in map(class_name, owner.bases) if b in classes]
        return any(name in documented[b] or inherited(classes[b], name) for b in bases)

    found = []
    for path, tree in trees.items():
        for node in public(tree.body):
            found += [] if ast.get_docstring(node) else [f"{path}: {node.name}"]
            if isinstance(node, ast.ClassDef):
                methods = (m for m in public(node.body) if isinstance(m, ast.FunctionDef))
                members = [m for m in methods if not ast.get_docstring(m)]
                found += [
                    f"{path}: {node.name}.{m.name}"
                    for m in members
                    if m.name not in promised and not inherited(node, m.name)
                ]
    return found


def test_everything_public_is_documented() -> None:
    paths = [path for path in modules() if path.parts[0] in FOLDERS]
    trees = {str(path): ast.parse((ROOT / path).read_text(encoding="utf-8")) for path in paths}
    assert undocumented(trees) == []


def test_what_is_missing_would_be_seen() -> None:
    text = '''
class Base:
    """A base."""
    def told(self):
        """Told."""
    def silent(self): ...

class Child(Base):
    """A child."""
    def told(self): ...
    def own(self): ...

def bare(): ...
def _private(): ...
'''
    missing = ["x: Base.silent", "x: Child.own", "x: bare"]
    assert undocumented({"x": ast.parse(text)}) == missing
