"""Symmetries of boards as permutation groups.

A :class:`Symmetry` is a permutation of a board's cells, with a word on whether it swaps the players' goals. The groups
are those of sympy; kernels take the plain index arrays.
"""
