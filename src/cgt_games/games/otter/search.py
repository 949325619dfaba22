"""The search of Otter on boards of at most 16 cells: kernels only, no rules and no positions.

*Question.* Every test asks "is the margin at least t?" and is answered by alpha-beta search with a null window.

*Path sums.* All of A's and B's paths lie side by side in one vector of 64 bytes: A's in lanes 0 to 31, B's in lanes
32 to 63 (there are at most 20 each; the lanes that are left repeat the others). One vector holds the sums of the
numbers placed, one the counts of empty cells.

*Static bounds.* A path with k empty cells comes to at least its sum and the k smallest unused numbers, at most its
sum and the k largest. The minima over each player's lanes bound both scores and so the margin; this decides most
children at once. If number x goes, the k smallest others have the sum max(pre[k], pre[k+1] - x), where pre[k] is the
sum of the k smallest of all: so all children of a node are bounded from six vectors.

*Order.* Children are ranked by the middle of the bounds on their margin, with something added for a corner, through
which all of a player's paths run: it proves the empty board fifteen times as fast. Of equals the first generated comes
first, and the numbers alternate, small and large: 1, 16, 2, 15 and so on from the empty board.

*Five empty cells* are decided in closed form, see ``_five``.

*Table.* Four entries make a bucket of one cache line. The key is the whole position, 4 bits a cell and the mask of
empty cells, compared in full: no two positions are ever taken for each other.

The search keeps its own stack, so it stops after a number of nodes and goes on later as if nothing had been.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

LANES = 64
CELLS = 16

_part = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]
"""Compiles what ``run`` calls: into its caller, never to be called from Python, so without the costs of that."""


# --- a vector of 64 bytes as a value --------------------------------------------------------------------------------


class _Vector(types.Type):
    def __init__(self):
        super().__init__(name="OtterVector64")


vector = _Vector()
_BYTES = ir.VectorType(ir.IntType(8), LANES)
_CHOICE = ir.VectorType(ir.IntType(32), LANES)
_HALF_CHOICE = ir.VectorType(ir.IntType(32), LANES // 2)
_I8, _I64 = ir.IntType(8), ir.IntType(64)


@register_model(_Vector)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, _BYTES)


def _address(context, builder, array_type, array, offset):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _BYTES.as_pointer())


@intrinsic
def _load(typingctx, array, offset):
    """The 64 bytes of a contiguous uint8 array from ``offset`` on."""

    def codegen(context, builder, signature, args):
        where = _address(context, builder, signature.args[0], *args)
        return builder.load(where, align=1)

    return vector(array, types.int64), codegen


@intrinsic
def _store(typingctx, array, offset, value):
    """Write 64 bytes."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _address(context, builder, signature.args[0], *args[:2]), align=1)
        return context.get_dummy_value()

    return types.void(array, types.int64, vector), codegen


@intrinsic
def _borrowed(typingctx, array):
    """The same array without a reference to its owner, so that passing it on counts no references."""

    def codegen(context, builder, signature, args):
        view = context.make_array(signature.args[0])(context, builder, args[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), codegen


def _splatted(builder, byte):
    one = builder.insert_element(ir.Constant(_BYTES, ir.Undefined), byte, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(_BYTES, ir.Undefined), ir.Constant(_CHOICE, None))


@intrinsic
def _splat(typingctx, number):
    """64 times the same byte."""

    def codegen(context, builder, signature, args):
        return _splatted(builder, builder.trunc(args[0], _I8))

    return vector(types.int64), codegen


def _binary(emit):
    @intrinsic
    def operation(typingctx, left, right):
        def codegen(context, builder, signature, args):
            return emit(builder, *args)

        return vector(vector, vector), codegen

    return operation


def _call(name):
    def emit(builder, left, right):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_BYTES, [_BYTES, _BYTES]), f"llvm.{name}.v{LANES}i8"
        )
        return builder.call(function, [left, right])

    return emit


_add = _binary(lambda builder, left, right: builder.add(left, right))
_sub = _binary(lambda builder, left, right: builder.sub(left, right))
_and = _binary(lambda builder, left, right: builder.and_(left, right))
_min = _binary(_call("umin"))
_max = _binary(_call("umax"))


@intrinsic
def _greater(typingctx, left, right):
    """255 in the lanes where ``left > right``, else 0; unsigned."""

    def codegen(context, builder, signature, args):
        return builder.sext(builder.icmp_unsigned(">", *args), _BYTES)

    return vector(vector, vector), codegen


@intrinsic
def _blend(typingctx, mask, off, on):
    """``on`` in the lanes where ``mask`` is 255, ``off`` where it is 0."""

    def codegen(context, builder, signature, args):
        mask, off, on = args
        return builder.select(builder.icmp_signed("<", mask, ir.Constant(_BYTES, None)), on, off)

    return vector(vector, vector, vector), codegen


@intrinsic
def _at_least(typingctx, value, bound):
    """Bit k says whether lane k of ``value`` is at least lane k of ``bound``; signed."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(builder.icmp_signed(">=", *args), _I64)

    return types.uint64(vector, vector), codegen


def _least(first):
    @intrinsic
    def operation(typingctx, value):
        def codegen(context, builder, signature, args):
            lanes = ir.Constant(_HALF_CHOICE, list(range(first, first + LANES // 2)))
            half = builder.shuffle_vector(args[0], ir.Constant(_BYTES, ir.Undefined), lanes)
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(_I8, [half.type]), f"llvm.vector.reduce.umin.v{LANES // 2}i8"
            )
            return builder.zext(builder.call(function, [half]), _I64)

        return types.int64(vector), codegen

    return operation


@intrinsic
def _halves(typingctx, first, second):
    """A's lanes of the one vector and B's lanes of the other."""

    def codegen(context, builder, signature, args):
        lanes = [lane if lane < LANES // 2 else LANES + lane for lane in range(LANES)]
        return builder.shuffle_vector(*args, ir.Constant(_CHOICE, lanes))

    return vector(vector, vector), codegen


_least_a = _least(0)
_least_b = _least(LANES // 2)


def _count(name, *flags):
    @intrinsic
    def operation(typingctx, mask):
        def codegen(context, builder, signature, args):
            kinds = [_I64, *(ir.IntType(1) for _ in flags)]
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_I64, kinds), f"llvm.{name}.i64")
            return builder.call(function, [args[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags)])

        return types.int64(types.uint64), codegen

    return operation


_population = _count("ctpop")
_lowest = _count("cttz", 0)


# --- five empty cells -----------------------------------------------------------------------------------------------


def _even(permutation):
    return sum(x > y for k, x in enumerate(permutation) for y in permutation[k + 1 :]) % 2 == 0


def _arrangements(cell):
    """The 60 even arrangements of five numbers in five cells: 12 with number 0 in ``cell``, 12 with 1, and so on.

    Within each dozen the other four cells hold the other four numbers in the order of _FOUR, or of _FOUR with the
    two largest exchanged where that is what makes the whole even.
    """
    found = []
    for number in range(5):
        others = [x for x in range(5) if x != number]
        for order in _FOUR:
            choices = [order, tuple({2: 3, 3: 2}.get(x, x) for x in order)]
            whole = [[others[x] for x in choice] for choice in choices]
            for arrangement in whole:
                arrangement.insert(cell, number)
            found.append(tuple(next(arrangement for arrangement in whole if _even(arrangement))))
    return found


_FOUR = [order for order in permutations(range(4)) if _even(order)]
_DOZEN = np.uint64(0xFFF)
_SIXTY = np.uint64((1 << 60) - 1)

_EVEN = _arrangements(0)
_ODD = [tuple({3: 4, 4: 3}.get(x, x) for x in arrangement) for arrangement in _EVEN]


def _winning_dozens():
    """For each set of the 12 boards of one parity after the first of five moves: can the second mover win there?

    The second mover can if, for some cell and number, all three boards of that parity with the number in the cell
    are in the set.
    """
    winning = np.zeros(4096, dtype=np.uint8)
    for cell in range(4):
        for number in range(4):
            triple = sum(1 << k for k, order in enumerate(_FOUR) if order[cell] == number)
            winning |= (np.arange(4096) & triple == triple).astype(np.uint8)
    return winning


def _views():
    """To sort 60 bits by the number in cell 1, 2, 3 or 4 instead of cell 0: what each 6 of them contribute."""
    views = np.zeros((10, 64, 4), dtype=np.uint64)
    place = {arrangement: k for k, arrangement in enumerate(_EVEN)}
    for cell in range(1, 5):
        for target, arrangement in enumerate(_arrangements(cell)):
            group, bit = divmod(place[arrangement], 6)
            has_bit = (np.arange(64) >> bit) & 1 == 1
            views[group, has_bit, cell - 1] |= np.uint64(1 << target)
    return views.reshape(-1)


_WINNING = _winning_dozens()
_VIEWS = _views()


@intrinsic(prefer_literal=True)
def _spread(typingctx, numbers, cell, odd):
    """Of five numbers, the bytes of a word, the one that each arrangement has in ``cell``; arrangements as lanes."""
    lanes = [arrangement[cell.literal_value] for arrangement in (_ODD if odd.literal_value else _EVEN)]
    lanes += lanes[:4]

    def codegen(context, builder, signature, args):
        words = ir.VectorType(_I64, 2)
        first = builder.insert_element(ir.Constant(words, ir.Undefined), args[0], ir.Constant(ir.IntType(32), 0))
        narrow = builder.bitcast(first, ir.VectorType(_I8, 16))
        return builder.shuffle_vector(narrow, ir.Constant(narrow.type, ir.Undefined), ir.Constant(_CHOICE, lanes))

    return vector(types.uint64, cell, odd), codegen


SPLATS = 0
"""Where the rows of the pool begin: row x is 128 times the number x."""
SPREADS = 17 * 128
"""Rows 17 to 21: the numbers of five empty cells in all 120 arrangements, 60 even ones and 60 odd."""
WAYS = 22 * 128
"""Then the sums of the best ways to the cells of one row."""
BOUNDS = WAYS + 16 * 64
"""Then the bounds of the path sums of a node under expansion."""
POOL = BOUNDS + 6 * 64


def pool() -> np.ndarray:
    """The memory that ``_five`` works in."""
    memory = np.zeros(POOL, dtype=np.uint8)
    memory[:SPREADS] = np.repeat(np.arange(17, dtype=np.uint8), 128)
    return memory


@_part
def _ways4(memory, at, half, r0, r1, r2, r3):
    """The least sums of the ways through a 4 x 4 board, rows taken in the order given, 64 boards side by side."""
    w0 = _load(memory, at[r0] + half)
    w1 = _add(w0, _load(memory, at[r0 + 1] + half))
    w2 = _add(w1, _load(memory, at[r0 + 2] + half))
    w3 = _add(w2, _load(memory, at[r0 + 3] + half))
    w0 = _add(w0, _load(memory, at[r1] + half))
    w1 = _add(_min(w0, w1), _load(memory, at[r1 + 1] + half))
    w2 = _add(_min(w1, w2), _load(memory, at[r1 + 2] + half))
    w3 = _add(_min(w2, w3), _load(memory, at[r1 + 3] + half))
    w0 = _add(w0, _load(memory, at[r2] + half))
    w1 = _add(_min(w0, w1), _load(memory, at[r2 + 1] + half))
    w2 = _add(_min(w1, w2), _load(memory, at[r2 + 2] + half))
    w3 = _add(_min(w2, w3), _load(memory, at[r2 + 3] + half))
    w0 = _add(w0, _load(memory, at[r3] + half))
    w1 = _add(_min(w0, w1), _load(memory, at[r3 + 1] + half))
    w2 = _add(_min(w1, w2), _load(memory, at[r3 + 2] + half))
    return _add(_min(w2, w3), _load(memory, at[r3 + 3] + half))


@_part
def _ways(memory, at, half, rows, columns, upwards):
    """The same on any board: from the top row down, or upwards."""
    for step in range(rows):
        row = rows - 1 - step if upwards else step
        for column in range(columns):
            here = WAYS + column * 64
            number = _load(memory, at[row * columns + column] + half)
            if step == 0 and column == 0:
                _store(memory, here, number)
            elif step == 0:
                _store(memory, here, _add(_load(memory, here - 64), number))
            elif column == 0:
                _store(memory, here, _add(_load(memory, here), number))
            else:
                _store(memory, here, _add(_min(_load(memory, here - 64), _load(memory, here)), number))
    return _load(memory, WAYS + (columns - 1) * 64)


@_part
def _won(memory, at, half, rows, columns, t):
    """Of 64 full boards: those with margin at least t, as bits."""
    a = b = _splat(0)
    for upwards in range(2):
        a = b
        if rows == 4 and columns == 4:
            row = 12 * upwards
            b = _ways4(memory, at, half, row, 4 + 4 * upwards, 8 - 4 * upwards, 12 - row)
        else:
            b = _ways(memory, at, half, rows, columns, upwards)
    return _at_least(_sub(b, a), _splat(t)) & _SIXTY


@_part
def _five(memory, at, numbers, rows, columns, t, a_moves):
    """Whether the margin is at least t with five empty cells.

    ``at`` says for each cell where in ``memory`` its 120 numbers are: a row of SPLATS, or of SPREADS for an empty cell.
    ``numbers`` has the five unused numbers as bytes.

    Let X be to move, and Y the other. With three empty cells X is to move again. An even and an odd arrangement of
    three agree in exactly one cell, and every such pair comes up as the two boards between which Y chooses after a
    move of X. So Y wins iff all three even arrangements or all three odd ones are Y's. With four empty cells Y is to
    move and wins iff, for some cell, number and parity, the three arrangements with the number in the cell are Y's.
    With five, X wins iff for some first move Y cannot do that.
    """
    _store(memory, SPREADS, _spread(numbers, 0, 0))
    _store(memory, SPREADS + 64, _spread(numbers, 0, 1))
    _store(memory, SPREADS + 128, _spread(numbers, 1, 0))
    _store(memory, SPREADS + 192, _spread(numbers, 1, 1))
    _store(memory, SPREADS + 256, _spread(numbers, 2, 0))
    _store(memory, SPREADS + 320, _spread(numbers, 2, 1))
    _store(memory, SPREADS + 384, _spread(numbers, 3, 0))
    _store(memory, SPREADS + 448, _spread(numbers, 3, 1))
    _store(memory, SPREADS + 512, _spread(numbers, 4, 0))
    _store(memory, SPREADS + 576, _spread(numbers, 4, 1))
    even = odd = np.uint64(0)
    for half in range(0, 128, 64):
        even, odd = odd, _won(memory, at, half, rows, columns, t)
    if a_moves:  # then B is Y
        even, odd = ~even & _SIXTY, ~odd & _SIXTY
    return _every_first_move_is_answered(even, odd) != a_moves


@_part
def _answered(even, odd):
    """Whether Y has an answer to each number in one cell; odd arrangements have numbers 3 and 4 exchanged."""
    return (
        (_WINNING[even & _DOZEN] | _WINNING[odd & _DOZEN])
        & (_WINNING[(even >> np.uint64(12)) & _DOZEN] | _WINNING[(odd >> np.uint64(12)) & _DOZEN])
        & (_WINNING[(even >> np.uint64(24)) & _DOZEN] | _WINNING[(odd >> np.uint64(24)) & _DOZEN])
        & (_WINNING[(even >> np.uint64(36)) & _DOZEN] | _WINNING[(odd >> np.uint64(48)) & _DOZEN])
        & (_WINNING[(even >> np.uint64(48)) & _DOZEN] | _WINNING[(odd >> np.uint64(36)) & _DOZEN])
    ) != 0


@_part
def _every_first_move_is_answered(even, odd):
    if even == _SIXTY and odd == _SIXTY:
        return True
    if not _answered(even, odd):
        return False
    e1 = e2 = e3 = e4 = o1 = o2 = o3 = o4 = np.uint64(0)
    for group in range(10):
        shift = np.uint64(6 * group)
        k = np.int64((even >> shift) & np.uint64(63)) + 64 * group << 2
        e1 |= _VIEWS[k]
        e2 |= _VIEWS[k + 1]
        e3 |= _VIEWS[k + 2]
        e4 |= _VIEWS[k + 3]
        k = np.int64((odd >> shift) & np.uint64(63)) + 64 * group << 2
        o1 |= _VIEWS[k]
        o2 |= _VIEWS[k + 1]
        o3 |= _VIEWS[k + 2]
        o4 |= _VIEWS[k + 3]
    return _answered(e1, o1) and _answered(e2, o2) and _answered(e3, o3) and _answered(e4, o4)


# --- what a board looks like to the search --------------------------------------------------------------------------


def shape_tables(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """For a board of ``rows`` x ``columns``: the lanes of the paths through each cell, and the symmetries.

    The first result has shape (16, 64), 255 where the path of the lane runs through the cell. The second has a row of
    16 images for each symmetry that keeps the goals, the identity first. Each of these is its own inverse.
    """
    from cgt_games.games.otter.rules import board_symmetries

    steps = rows + columns - 2
    through = np.zeros((CELLS, LANES), dtype=np.uint8)
    downs = [d for d in range(1 << steps) if d.bit_count() == rows - 1]
    for lane in range(LANES // 2):
        down = downs[lane % len(downs)]
        row = column = 0
        for step in range(-1, steps):
            if step >= 0 and down >> step & 1:
                row += 1
            elif step >= 0:
                column += 1
            through[row * columns + column, lane] = 255
            through[(rows - 1 - row) * columns + column, LANES // 2 + lane] = 255
    kept = [s.images for s in board_symmetries(rows, columns) if not s.swaps_goals]
    images = np.tile(np.arange(CELLS), (len(kept), 1))
    images[:, : rows * columns] = kept
    return through.reshape(-1), images


# The control block: what a search that was interrupted goes on with.
LEVEL, TOP, JOB, BOUND, NODES, STEP = range(6)
# A job: the bounds on the margin proved so far, the window in which it is wanted, where to look first, the best move.
LOW, HIGH, ALPHA, BETA, GUESS, BEST = range(6)
UNBOUNDED = 127


@_part
def _bits(mask, found):
    """The indices of the bits of ``mask`` into ``found``."""
    count = 0
    while mask:
        found[count] = _lowest(mask)
        mask &= mask - np.uint64(1)
        count += 1


@_part
def _decisive(level, move, boards, killers):
    """Remember the move that decided a node: for the table, and as the first of this level's killers."""
    boards[level, 5] = np.uint64(move)
    for k in range(KILLERS):
        killers[level, k], move = move, killers[level, k]
        if move == np.int64(boards[level, 5]):
            break


@_part
def _bound_vectors(fixed, empty, numbers, level, length, memory):
    """Path sums with the k - 1, k and k + 1 smallest unused numbers, and with the largest, k empty cells on the path.

    They go to memory[BOUNDS:] in the order k, k + 1, k - 1, the smallest first.
    """
    low = lowm = high = highm = fixed
    low1 = _add(fixed, _splat(numbers[0]))
    high1 = _add(fixed, _splat(numbers[level - 1]))
    for k in range(min(level, length)):
        least, greatest = _splat(numbers[k]), _splat(numbers[level - 1 - k])
        counts = _greater(empty, _splat(k))
        low = _add(low, _and(counts, least))
        high = _add(high, _and(counts, greatest))
        if k + 1 < level:
            low1 = _add(low1, _and(counts, _splat(numbers[k + 1])))
            high1 = _add(high1, _and(counts, _splat(numbers[level - 2 - k])))
        counts = _greater(empty, _splat(k + 1))
        lowm = _add(lowm, _and(counts, least))
        highm = _add(highm, _and(counts, greatest))
    _store(memory, BOUNDS, low)
    _store(memory, BOUNDS + 64, low1)
    _store(memory, BOUNDS + 128, lowm)
    _store(memory, BOUNDS + 192, high)
    _store(memory, BOUNDS + 256, high1)
    _store(memory, BOUNDS + 320, highm)


@_part
def _with_number(x, memory):
    """Bounds of the path sums after number x is placed: low and high, each off and on the paths through its cell."""
    number = _splat(x)
    low, high = _load(memory, BOUNDS), _load(memory, BOUNDS + 192)
    return (
        _max(low, _sub(_load(memory, BOUNDS + 64), number)),
        _max(_add(_load(memory, BOUNDS + 128), number), low),
        _min(high, _sub(_load(memory, BOUNDS + 256), number)),
        _min(_add(_load(memory, BOUNDS + 320), number), high),
    )


@_part
def _expand(
    level,
    t,
    a_moves,
    length,
    size,
    sums,
    boards,
    through,
    images,
    table,
    kids,
    killers,
    small,
    memory,
    at,
    corners,
    top,
):
    """Decide a node (1 or 0), or bound all its children and list those that are not decided (2).

    The moves that last decided nodes of this level are tried first, then the table is asked: both cost little. A move
    that decides the node is left at boards[level, 5].
    """
    free, numbers = small[:17], small[17:34]
    _bits(boards[level, 1], free)
    _bits(boards[level, 2], numbers)
    _bound_vectors(_load(sums, level * 128), _load(sums, level * 128 + 64), numbers, level, length, memory)
    hint = count = 0
    for turn in range(-KILLERS, level):
        if turn < 0:
            x, first, last = killers[level, KILLERS + turn] & 31, killers[level, KILLERS + turn] >> 5, -1
            if (boards[level, 1] >> np.uint64(first)) & (boards[level, 2] >> np.uint64(x)) & np.uint64(1):
                last = first
        else:
            first, last = 0, level - 1
            x = numbers[turn >> 1] if turn & 1 == 0 else numbers[level - 1 - (turn >> 1)]
        low_off, low_on, high_off, high_on = _with_number(x, memory)
        for k in range(first, last + 1):
            c = k if turn < 0 else free[k]
            on = _load(through, c * 64)
            low = _blend(on, low_off, low_on)
            high = _blend(on, high_off, high_on)
            low_a, low_b = _least_a(low), _least_b(low)
            high_a, high_b = _least_a(high), _least_b(high)
            if low_b - high_a >= t:
                if a_moves:
                    _decisive(level, c * 32 + x, boards, killers)
                    return 1
            elif high_b - low_a < t:
                if not a_moves:
                    _decisive(level, c * 32 + x, boards, killers)
                    return 0
            elif turn >= 0:
                middle = low_b + high_b - low_a - high_a
                rank = 1024 + (middle if a_moves else -middle) + 1024 * (hint == c * 32 + x)
                rank += CORNER * (corners >> c & 1)
                kids[level, count] = (rank << 8 | 255 - count) << 9 | c * 32 + x
                count += 1
        if turn == -1 and TABLED <= level < top:  # of the topmost position the move is wanted, too
            _canonical(level, size, boards, images)
            answer = _probe(level, t, boards, table, images)
            if answer != 2:
                return answer
            hint = np.int64(boards[level, 5])
    kids[level, 256] = count
    if level == 6:
        _prepare_leaves(size, boards, small, at)
    else:
        boards[level, 7] = np.uint64(0)
        for k in range(KILLERS):
            _refute(level, killers[level - 1, k], t, a_moves, length, sums, boards, through, kids, small, memory)
    return 2


@_part
def _refute(level, reply, t, a_moves, length, sums, boards, through, kids, small, memory):
    """Strike off the list all children of a node at ``level`` that one reply of the opponent decides.

    A move and the reply lead to where the reply and then the move lead, so one set of vectors, with the reply placed,
    bounds them all: that is far less than to enter each child.
    """
    reply_cell, reply_number = reply >> 5, reply & 31
    ways, spent = boards[level, 2] >> np.uint64(reply_number), boards[level, 7]
    if not (boards[level, 1] >> np.uint64(reply_cell)) & ways & np.uint64(1):
        return
    if spent & np.uint64(0xFFFF) == reply or spent >> np.uint64(16) & np.uint64(0xFFFF) == reply:
        return  # done already
    boards[level, 7] = spent << np.uint64(16) | np.uint64(reply)
    numbers = small[50:]
    _bits(boards[level, 2] & ~(np.uint64(1) << np.uint64(reply_number)), numbers)
    on = _load(through, reply_cell * 64)
    fixed = _add(_load(sums, level * 128), _and(on, _splat(reply_number)))
    _bound_vectors(fixed, _add(_load(sums, level * 128 + 64), on), numbers, level - 1, length, memory)
    last = -1
    off = on
    for k in range(kids[level, 256]):
        kid = np.int64(kids[level, k])
        c, x = kid >> 5 & 15, kid & 31
        if kid < 0 or c == reply_cell or x == reply_number:
            continue
        if x != last:
            last = x
            low_off, low_on, high_off, high_on = _with_number(x, memory)
            if a_moves:
                off, on = _halves(low_off, high_off), _halves(low_on, high_on)
            else:
                off, on = _halves(high_off, low_off), _halves(high_on, low_on)
        bound = _blend(_load(through, c * 64), off, on)
        if (_least_b(bound) - _least_a(bound) >= t) != a_moves:
            kids[level, k] = -1


@_part
def _next_kid(level, kids):
    """Take the best-ranked child out of the list; -1 if none is left."""
    best = np.int32(-1)
    for k in range(kids[level, 256]):
        best = max(best, kids[level, k])
    if best < 0:
        return -1
    kids[level, 255 - (best >> 9 & 255)] = -1
    return np.int64(best & 511)


@_part
def _descend(level, c, x, sums, boards, through):
    """Set up the child of the node at ``level`` that has number x in cell c."""
    on = _load(through, c * 64)
    below = (level - 1) * 128
    _store(sums, below, _add(_load(sums, level * 128), _and(on, _splat(x))))
    _store(sums, below + 64, _add(_load(sums, level * 128 + 64), on))
    boards[level - 1, 0] = boards[level, 0] | np.uint64(x - 1) << np.uint64(4 * c)
    boards[level - 1, 1] = boards[level, 1] & ~(np.uint64(1) << np.uint64(c))
    boards[level - 1, 2] = boards[level, 2] & ~(np.uint64(1) << np.uint64(x))


@_part
def _set_up(board, mask, level, size, sums, boards, through):
    """Set up a position at its level: its vectors and its unused numbers."""
    boards[level, 0], boards[level, 1] = board, mask
    unused = np.uint64((2 << size) - 2)
    fixed = _splat(0)
    empty = _splat(0)
    for c in range(size):
        on = _load(through, c * 64)
        if (mask >> np.uint64(c)) & np.uint64(1):
            empty = _sub(empty, on)
        else:
            x = np.int64((board >> np.uint64(4 * c)) & np.uint64(15)) + 1
            unused &= ~(np.uint64(1) << np.uint64(x))
            fixed = _add(fixed, _and(on, _splat(x)))
    boards[level, 2] = unused
    _store(sums, level * 128, fixed)
    _store(sums, level * 128 + 64, empty)


@_part
def _prepare_leaves(size, boards, small, at):
    """Set up what the children of the node at level 6 have in common."""
    _bits(boards[6, 1], small)
    _bits(boards[6, 2], small[17:])
    for c in range(size):
        at[c] = ((boards[6, 0] >> np.uint64(4 * c)) & np.uint64(15)) * np.uint64(128) + np.uint64(128)


@_part
def _leaf(c, x, t, a_moves, rows, columns, boards, small, memory, at):
    """Whether the margin is at least t in the child that has number x in cell c, of the node at level 6."""
    i = _population(boards[6, 1] & ((np.uint64(1) << np.uint64(c)) - np.uint64(1)))
    j = _population(boards[6, 2] & ((np.uint64(1) << np.uint64(x)) - np.uint64(1)))
    numbers = np.uint64(0)
    for k in range(6):
        at[small[k]] = SPREADS + 128 * (k - (k > i))
        numbers |= np.uint64(small[17 + k]) << np.uint64(8 * (k - (k > j))) & -np.uint64(k != j)
    at[c] = 128 * x
    return _five(memory, at, numbers, rows, columns, t, a_moves)


@_part
def _canonical(level, size, boards, images):
    """The key: the least board among its symmetric images, at boards[level, 3:5]; the image chosen at [level, 6]."""
    board, mask = boards[level, 0], boards[level, 1]
    boards[level, 3], boards[level, 4], boards[level, 6] = board, mask, np.uint64(0)
    if level < SYMMETRIC:
        return
    for s in range(1, images.shape[0]):
        other, other_mask = np.uint64(0), np.uint64(0)
        for c in range(size):
            to = np.uint64(images[s, c])
            other |= ((board >> np.uint64(4 * c)) & np.uint64(15)) << (np.uint64(4) * to)
            other_mask |= ((mask >> np.uint64(c)) & np.uint64(1)) << to
        if other < boards[level, 3] or (other == boards[level, 3] and other_mask < boards[level, 4]):
            boards[level, 3], boards[level, 4], boards[level, 6] = other, other_mask, np.uint64(s)


CORNERED, CORNER = 9, 4
"""From so many empty cells on a move into a corner is ranked so much higher."""
SYMMETRIC = 9
"""From so many empty cells on, symmetric positions share an entry of the table."""
KILLERS = 2
"""How many moves that decided nodes of the same level are tried first."""
TABLED = 8
"""From so many empty cells on, positions are kept in the table."""

# An entry is two words: the board, and from the lowest bit the mask (16 bits), LOW + 128, HIGH + 128, the best move,
# the number of empty cells (which is never 0: so no entry is mistaken for an empty slot).


@_part
def _bucket(board, mask, table):
    """Where in ``table`` the position's bucket of four entries begins."""
    h = (board ^ mask * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xD6E8FEB86659FD93)
    h = (h ^ h >> np.uint64(32)) * np.uint64(0xA0761D6478BD642F)
    return np.int64(((h >> np.uint64(32)) * np.uint64(table.size >> 3)) >> np.uint64(32)) << 3


@_part
def _probe(level, t, boards, table, images):
    """1 or 0: the table knows the answer. Else 2, and the move that it recommends, if any, is at boards[level, 5]."""
    board, mask = boards[level, 3], boards[level, 4]
    boards[level, 5] = np.uint64(0)
    at = _bucket(board, mask, table)
    for k in range(at, at + 8, 2):
        word = table[k + 1]
        if table[k] == board and word & np.uint64(0xFFFF) == mask and word >> np.uint64(48) != 0:
            if np.int64((word >> np.uint64(16)) & np.uint64(255)) - 128 >= t:
                return 1
            if np.int64((word >> np.uint64(24)) & np.uint64(255)) - 128 < t:
                return 0
            move = np.int64((word >> np.uint64(32)) & np.uint64(0xFFFF))
            cell = images[np.int64(boards[level, 6]), move >> 5]
            boards[level, 5] = np.uint64(cell * 32 + (move & 31)) if move else np.uint64(0)
            return 2
    return 2


@_part
def _keep(level, t, answer, boards, table, images):
    """Write to the table that the margin is at least t, or less."""
    board, mask = boards[level, 3], boards[level, 4]
    move = np.int64(boards[level, 5])
    move = images[np.int64(boards[level, 6]), move >> 5] * 32 + (move & 31) if move else 0
    low = t if answer else -UNBOUNDED
    high = UNBOUNDED if answer else t - 1
    at = _bucket(board, mask, table)
    victim, least = at, 99
    for k in range(at, at + 8, 2):
        word = table[k + 1]
        depth = np.int64(word >> np.uint64(48))
        if table[k] == board and word & np.uint64(0xFFFF) == mask and depth:
            low = max(low, np.int64((word >> np.uint64(16)) & np.uint64(255)) - 128)
            high = min(high, np.int64((word >> np.uint64(24)) & np.uint64(255)) - 128)
            if move == 0:
                move = np.int64((word >> np.uint64(32)) & np.uint64(0xFFFF))
            victim = k
            break
        if depth < least:
            victim, least = k, depth
    table[victim] = board
    table[victim + 1] = (
        mask
        | np.uint64(low + 128) << np.uint64(16)
        | np.uint64(high + 128) << np.uint64(24)
        | np.uint64(move) << np.uint64(32)
        | np.uint64(level) << np.uint64(48)
    )


@_part
def _next_bound(job):
    """The t of a job's next test; the margin is known or out of the window: UNBOUNDED."""
    low, high = max(job[LOW], job[ALPHA]), min(job[HIGH], job[BETA])
    if job[LOW] >= job[BETA] or job[HIGH] <= job[ALPHA] or job[LOW] == job[HIGH]:
        return UNBOUNDED
    return min(max(job[GUESS], low + 1), high)


@njit(cache=True, nogil=True)
def run(
    positions, jobs, rows, columns, through, images, table, control, sums, boards, kids, killers, small, memory, budget
):
    """Work on the jobs for about ``budget`` nodes; True when all are done."""
    positions, jobs, through, images, table = (
        _borrowed(positions),
        _borrowed(jobs),
        _borrowed(through),
        _borrowed(images),
        _borrowed(table),
    )
    control, sums, boards, kids = _borrowed(control), _borrowed(sums), _borrowed(boards), _borrowed(kids)
    killers, small, memory = _borrowed(killers), _borrowed(small), _borrowed(memory)
    size, length = rows * columns, rows + columns - 1
    corners = 1 | 1 << columns - 1 | 1 << size - columns | 1 << size - 1
    at = small[34:50]
    nodes = 0
    level = control[LEVEL]
    top, t = control[TOP], control[BOUND]
    c = x = 0
    while True:
        if level == 0:
            j = control[JOB]
            if j == len(jobs):
                control[NODES] += nodes
                return True
            job = jobs[j]
            t = _next_bound(job)
            if t == UNBOUNDED:
                control[JOB] += 1
                control[STEP] = 0
                continue
            level = np.int64(positions[j, 2])
            _set_up(positions[j, 0], positions[j, 1], level, size, sums, boards, through)
            if positions[j, 3]:  # a move: the job is the position after it
                c, x = np.int64(positions[j, 3]) >> 5, np.int64(positions[j, 3]) & 31
                if level > 6:
                    _descend(level, c, x, sums, boards, through)
                else:
                    _prepare_leaves(size, boards, small, at)
                level -= 1
            top = level
            control[TOP], control[BOUND] = top, t
        a_moves = (size - level) & 1 == 0
        # Enter the node.
        if nodes >= budget and level > 5:
            control[NODES] += nodes
            control[LEVEL] = level
            return False
        nodes += 1
        if level == 5:
            answer = np.int64(_leaf(c, x, t, a_moves, rows, columns, boards, small, memory, at))
        else:
            answer = _expand(
                level, t, a_moves, length, size, sums, boards, through, images, table, kids, killers, small, memory, at,
                corners if level >= CORNERED else 0, top,
            )  # fmt: skip
        # Go on with the children, or return to the parents.
        while True:
            if answer == 2:
                kid = _next_kid(level, kids)
                if kid < 0:
                    answer = 0 if a_moves else 1
                    boards[level, 5] = np.uint64(0)
                    if level >= TABLED:
                        _keep(level, t, answer, boards, table, images)
                    continue
                c, x = kid >> 5, kid & 31
                boards[level, 5] = np.uint64(kid)
                if level > 6:
                    _descend(level, c, x, sums, boards, through)
                level -= 1
                break
            elif level == top:
                _conclude(jobs[control[JOB]], t, answer, np.int64(boards[level, 5]), control)
                level = 0
                break
            else:
                level += 1
                a_moves = not a_moves
                if answer == a_moves:
                    _decisive(level, np.int64(boards[level, 5]), boards, killers)
                    if level >= TABLED:
                        _keep(level, t, answer, boards, table, images)
                else:
                    answer = 2
                    if level > 6:
                        reply = killers[level - 1, 0]
                        _refute(level, reply, t, a_moves, length, sums, boards, through, kids, small, memory)


@_part
def _conclude(job, t, answer, move, control):
    """Put the answer of a test into its job, and choose where to look next: steps that double, then halves."""
    step = control[STEP]
    if answer:
        job[LOW] = t
        step = 1 if step == 0 else 2 * step
    else:
        job[HIGH] = t - 1
        step = -1 if step == 0 else 2 * step
    if move:
        job[BEST] = move
    if job[LOW] > -UNBOUNDED and job[HIGH] < UNBOUNDED:
        job[GUESS] = (job[LOW] + job[HIGH] + 1) >> 1
    else:
        job[GUESS] = t + step
    control[STEP] = step
