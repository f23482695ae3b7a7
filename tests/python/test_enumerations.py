"""Members of enumerations equal their numbers, as columns of batches have them, and their names, as texts."""
import enum
import warnings

import numpy
import pytest
import waitstate
from waitstate import _core

from conftest import SOURCE

ENUMERATIONS = [cls for cls in vars(_core).values() if isinstance(cls, type) and issubclass(cls, enum.Enum)]


def test_there_are_enumerations():
    assert {cls.__name__ for cls in ENUMERATIONS} >= {"CollectiveKind", "CollectiveOp", "MpiFunction", "RegionClass",
                                                      "RmaCollectiveKind", "RmaOperationKind"}


@pytest.mark.parametrize("enumeration", ENUMERATIONS)
def test_members_equal_names_and_numbers(enumeration):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for member in enumeration:
            for other in enumeration:
                same = member is other
                for given in (other, other.value, other.name):
                    assert (member == given) is same and (given == member) is same
                    assert (member != given) is not same and (given != member) is not same
                assert (member < other) is (member.value < other.value)
            assert hash(member) == hash(member.value) and {member.value: 1}[member] == 1
            assert member in (member.name,) and member not in ()
            assert (numpy.array([member.value], dtype=numpy.uint8) == member).all()


@pytest.mark.parametrize("enumeration", ENUMERATIONS)
def test_what_is_no_name_is_told(enumeration):
    member = max(enumeration, key=lambda m: len(m.name))
    typo = f"{member.name[:2]}q{member.name[2:]}"
    with pytest.warns(UserWarning, match=rf"^no {enumeration.__name__} is called '{typo}'; did you mean '{member.name}'\?$") as told:
        assert (member == typo) is False
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="^no .* is called ''$"):
        assert "" != member
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="is called"):
            bool(member == typo)
        assert member != None and member != 0.5 and member != b"barrier"  # noqa: E711


def test_patterns_compare_kinds_with_texts():
    class Barriers(waitstate.Pattern):
        unit = "occ"

        def collective_callback(self, collective):
            assert (collective.kind == "barrier") == (collective.kind is waitstate.CollectiveKind.barrier)
            if collective.kind == "barrier" and collective.op == "barrier":
                self.add_call(collective.members[0].call, 1)

        def completed_receives_callback(self, receives):
            assert receives.call.function in ("recv", "waitall", "wait", "waitany", "waitsome", "sendrecv", "test", "testall")

    assert waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[Barriers]).total("barriers") > 0
