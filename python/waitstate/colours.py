"""Colours by what they mean. src/report/fields/generate.py writes this file: colours.json has the colours, which the page of
HTML reports draws with, too."""

#: Classes of regions: name, colour, and an expression; the first one that matches a region's class has it.
CLASSES = (
    ("computation", "#7fb2d6", "^comp"),
    ("device", "#56b4e9", "device|accelerator|cuda|hip|kernel"),
    ("threads", "#009e73", "omp|pthread|thread|task"),
    ("one-sided", "#cc79a7", "rma|shmem|one_sided|onesided"),
    ("collective", "#e69f00", "coll|sync|barrier"),
    ("point to point", "#d55e00", "point|p2p"),
    ("other", "#9aa0a6", ""),
)
SEVERITY = ("#00204d", "#00306f", "#2a406c", "#48526b", "#5e626e", "#727374", "#878479", "#9e9677", "#b6a971", "#d0be67", "#ffea46")
LESS = "#0072b2"
MORE = "#d55e00"
RUN_A = "#0072b2"
RUN_B = "#d55e00"
LARGEST_COMPUTATION = "#0b5cad"
BESIDE_EACH_OTHER = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#f0e442")
