import copy
import unittest

import json_schema
import jsonschema

STRICT = {
    "type": "object", "additionalProperties": False, "required": ["metrics", "waits"],
    "properties": {
        "metrics": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["id"],
            "properties": {"id": {"type": "string"}}}},
        "waits": {"type": "object", "additionalProperties": {
            "type": "object", "additionalProperties": False, "required": ["rows"],
            "properties": {"rows": {"type": "array", "items": {
                "type": "array", "prefixItems": [{"type": "integer"}], "items": False, "minItems": 1}}}}},
    },
}
DOCUMENT = {"metrics": [{"id": "time"}, {"id": "mpi"}], "waits": {"mpi": {"rows": [[1], [2]]}}}


def unnoticed(path, value):
    """The documents that pass if the schema has another value at that place."""
    schema = copy.deepcopy(STRICT)
    place = schema
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json_schema.unnoticed(jsonschema.Draft202012Validator(schema), DOCUMENT, set())[0]


class Unnoticed(unittest.TestCase):
    def test_nothing_passes_a_strict_schema(self):
        found, tried = json_schema.unnoticed(jsonschema.Draft202012Validator(STRICT), DOCUMENT, set())
        self.assertEqual(found, [])
        self.assertGreater(tried, 15)

    def test_field_that_may_be_missing(self):
        self.assertEqual(unnoticed(["properties", "metrics", "items", "required"], []),
                         ["leave_out metrics.*.id passes"])

    def test_field_of_any_type(self):
        self.assertEqual(unnoticed(["properties", "metrics", "items", "properties", "id"], {}),
                         ["retype metrics.*.id passes"])

    def test_field_that_is_not_described(self):
        self.assertEqual(unnoticed(["additionalProperties"], True),
                         ["add_beside metrics passes", "add_beside waits passes"])

    def test_row_of_any_length(self):
        rows = ["properties", "waits", "additionalProperties", "properties", "rows", "items"]
        self.assertEqual(unnoticed(rows + ["minItems"], 0), ["leave_out waits.*.rows.*.* passes"])
        self.assertEqual(unnoticed(rows + ["items"], True), ["add_beside waits.*.rows.*.* passes"])


class Shortened(unittest.TestCase):
    def test_rows_of_tables_stay_whole(self):
        rows = [[1, 2, 3, 4], [5, 6, 7, 8]] * 3
        self.assertEqual(json_schema.shortened({"rows": rows})["rows"], rows[:json_schema.ROWS])


if __name__ == "__main__":
    unittest.main()
