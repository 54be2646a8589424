"""Vectors for compiled code: 64 bytes or 8 words as one value, in whatever registers the processor has.

Code compiled by numba can hold such vectors in variables, and compute with the functions of this module. LLVM
turns them into vector instructions, which are much faster than what it makes of loops over bytes.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

BYTES = 64
WORDS = 8


class _Lanes(types.Type):
    """A vector of unsigned integers."""

    def __init__(self, bits: int, count: int) -> None:
        self.vector = ir.VectorType(ir.IntType(bits), count)
        super().__init__(name=f"Lanes({bits}, {count})")


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: _Lanes) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]


_LANES = {types.uint8: _Lanes(8, BYTES), types.uint64: _Lanes(64, WORDS)}


def _unary(emit: Callable[[Any, Any], Any], result: Any = None) -> Any:
    """Make a function of a vector or word from the instructions that compute it."""

    @intrinsic
    def operation(_typing: Any, value: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return (result or value)(value), generate

    return operation


def _binary(emit: Callable[[Any, Any, Any], Any], result: Any = None) -> Any:
    """Make a function of two vectors from the instructions that compute it."""

    @intrinsic
    def operation(_typing: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        return (result or left)(left, right), generate

    return operation


def _excess(builder: Any, left: Any, right: Any) -> Any:
    is_more = builder.icmp_unsigned(">", left, right)
    return builder.select(is_more, builder.sub(left, right), ir.Constant(left.type, None))


def _bits_up_to(builder: Any, left: Any, right: Any) -> Any:
    return builder.bitcast(builder.icmp_unsigned("<=", left, right), ir.IntType(BYTES))


def _is_full(builder: Any, lanes: Any) -> Any:
    whole = ir.IntType(64 * WORDS)
    return builder.icmp_signed("==", builder.bitcast(lanes, whole), ir.Constant(whole, -1))


plus = _binary(lambda builder, left, right: builder.add(left, right))
both = _binary(lambda builder, left, right: builder.and_(left, right))
either = _binary(lambda builder, left, right: builder.or_(left, right))
differ = _binary(lambda builder, left, right: builder.xor(left, right))
shift_up = _binary(lambda builder, left, right: builder.shl(left, right))
shift_down = _binary(lambda builder, left, right: builder.lshr(left, right))
excess = _binary(_excess)  # left - right, or 0 where that is negative
bits_up_to = _binary(_bits_up_to, types.uint64)  # a bit for each byte that is at most the other
invert = _unary(lambda builder, lanes: builder.not_(lanes))
is_full = _unary(_is_full, types.boolean)  # whether all bits of 8 words are set
count_ones = _unary(lambda builder, word: builder.ctpop(word), types.int64)
count_zeros_below = _unary(
    lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)), types.int64
)


@intrinsic
def fill(_typing: Any, value: Any) -> Any:
    """Put a value into all lanes."""

    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.return_type.vector
        lone = builder.insert_element(ir.Constant(vector, None), arguments[0], ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), None)
        return builder.shuffle_vector(lone, lone, lanes)

    return _LANES[value](value), generate


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


@intrinsic
def load(_typing: Any, array: Any, _at: Any) -> Any:
    """Load a vector from a place of an array, counted as if the array were flat."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        loaded = builder.load(builder.bitcast(pointer, signature.return_type.vector.as_pointer()))
        loaded.align = 1
        return loaded

    return _LANES[array.dtype](array, types.int64), generate


@intrinsic
def store(_typing: Any, lanes: Any, array: Any, _at: Any) -> Any:
    """Store a vector at a place of an array, counted as if the array were flat."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[1], *arguments[1:])
        stored = builder.store(arguments[0], builder.bitcast(pointer, lanes.vector.as_pointer()))
        stored.align = 1
        return context.get_dummy_value()

    return types.void(lanes, array, types.int64), generate


@intrinsic
def where_more(_typing: Any, lanes: Any, _bound: Any, _then: Any, _otherwise: Any) -> Any:
    """Choose, lane by lane, `then` where the first vector is greater than the second, else `otherwise`."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        left, right, then, otherwise = arguments
        return builder.select(builder.icmp_unsigned(">", left, right), then, otherwise)

    return lanes(lanes, lanes, lanes, lanes), generate


@intrinsic
def look_up(_typing: Any, table: Any, _at: Any, text: Any, starts: Any, _place: Any) -> Any:
    """Look up the character at a place of 8 strings, which begin at `starts`, in the table from `at` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, result = signature.args, ir.Constant(signature.return_type.vector, ir.Undefined)
        for lane in range(WORDS):
            offset = ir.Constant(ir.IntType(64), lane)
            start = builder.load(_pointer(context, builder, kinds[3], arguments[3], offset))
            place = builder.add(start, arguments[4])
            code = builder.load(_pointer(context, builder, kinds[2], arguments[2], place))
            at = builder.add(arguments[1], builder.zext(code, ir.IntType(64)))
            word = builder.load(_pointer(context, builder, kinds[0], arguments[0], at))
            result = builder.insert_element(result, word, ir.Constant(ir.IntType(32), lane))
        return result

    return _LANES[table.dtype](table, types.int64, text, starts, types.int64), generate
