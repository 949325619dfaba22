"""Otter's paths, listed in the plainest way; shared by tests."""

from itertools import combinations


def naive_paths(rows: int, columns: int, player: str) -> list[tuple[int, ...]]:
    """All paths as cell indices: choose which of the steps are vertical."""
    paths = []
    steps = rows + columns - 2
    for vertical in combinations(range(steps), rows - 1):
        row, column = (0 if player == "A" else rows - 1), 0
        path = [row * columns + column]
        for step in range(steps):
            if step in vertical:
                row += 1 if player == "A" else -1
            else:
                column += 1
            path.append(row * columns + column)
        paths.append(tuple(path))
    return paths
