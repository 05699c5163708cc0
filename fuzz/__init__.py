"""What random input finds: one target for each way into the package, each round of which can be run again by its number.

``python -m fuzz TARGET --seconds 60 --seed 1`` runs one; ``python -m fuzz --help`` names them.
"""
