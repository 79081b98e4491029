"""StrategyQA: yes/no questions with implicit strategies, decomposed and matched with evidence (Geva et al. 2021)."""
