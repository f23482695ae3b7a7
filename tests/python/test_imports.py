"""The modules of the package form no circle: what one module needs of another, for types as well, goes one way."""
import ast

from conftest import SOURCE

PACKAGE = SOURCE / "python" / "waitstate"


def imported(path):
    """Names of the modules of the package that a module imports: at its top, within functions, and for types."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "waitstate":
            names = [f"waitstate.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("waitstate.")}
    return found - {"_core"}


def circle(needs):
    """A path through {module: modules that it needs} that ends where it begins; [] if there is none."""
    done = set()

    def follow(module, path):
        if module in path:
            return [*path[path.index(module):], module]
        if module in done:
            return []
        for other in sorted(needs.get(module, ())):
            if found := follow(other, [*path, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(needs) if (found := follow(module, []))), [])


def test_circles_are_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle({"a": {"a"}}) == ["a", "a"]


def test_the_package_has_no_circle():
    needs = {path.stem: imported(path) for path in PACKAGE.glob("*.py")}
    assert needs["plot"] >= {"axes", "picture_numbers", "timeline"}  # imports are seen
    assert circle(needs) == []
