"""How good predictions, agreements and shares are counted, each with an interval where it is a mean."""
