"""R4C: answers from articles, justified by derivations of triplets (Inoue, Stenetorp, Inui 2020)."""
