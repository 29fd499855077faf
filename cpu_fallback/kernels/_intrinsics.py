"""Machine instructions that numba does not offer: unaligned loads, wide multiplication, prefetch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_I8 = ir.IntType(8)
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_I128 = ir.IntType(128)


def instruction(function: Callable[..., Any]) -> Any:
    """``numba.extending.intrinsic``, typed so that calls may leave out the typing context, as they do."""
    return intrinsic(function)


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), _I8.as_pointer())


@instruction
def load_u64(typingctx: Any, array: Any, index: Any) -> Any:
    """``load_u64(bytes: uint8[], index) -> uint64``: eight bytes from ``index`` on, little-endian."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.bitcast(
            _address(context, builder, signature.args[0], args[0], args[1]), _I64.as_pointer()
        )
        return builder.load(pointer, align=1)

    return types.uint64(array, types.int64), codegen


@instruction
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """``prefetch(array, index)``: ask for the cache line of ``array[index]`` (a hint, never a fault)."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = _address(context, builder, signature.args[0], args[0], args[1])
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32]),
            "llvm.prefetch.p0",
        )
        builder.call(function, [pointer, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return types.none(array, types.int64), codegen


@instruction
def mul_u64_wide(typingctx: Any, a: Any, b: Any) -> Any:
    """``mul_u64_wide(a: uint64, b: uint64) -> (high uint64, low uint64)``."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.zext(args[0], _I128), builder.zext(args[1], _I128))
        high = builder.trunc(builder.lshr(product, _I128(64)), _I64)
        low = builder.trunc(product, _I64)
        return context.make_tuple(builder, signature.return_type, [high, low])

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), codegen


@instruction
def mul_i64_wide(typingctx: Any, a: Any, b: Any) -> Any:
    """``mul_i64_wide(a: int64, b: int64) -> (high int64, low int64 bits)``: the exact 128-bit product."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        product = builder.mul(builder.sext(args[0], _I128), builder.sext(args[1], _I128))
        high = builder.trunc(builder.ashr(product, _I128(64)), _I64)
        low = builder.trunc(product, _I64)
        return context.make_tuple(builder, signature.return_type, [high, low])

    return types.UniTuple(types.int64, 2)(types.int64, types.int64), codegen
