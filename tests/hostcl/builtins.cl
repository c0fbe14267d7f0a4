/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in functions that kernels use, in simple C, for a host without OpenCL: integers,
 * selection, memory, atomics. Vectors are processed element by element, so that the sanitizers see
 * each access separately. */
#include "builtins.clh"

/* Least, most, between. */
#define ORDER_OF(T, E, N)                                                                          \
    OVER T min(T a, T b)                                                                           \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    OVER T max(T a, T b)                                                                           \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    OVER T clamp(T x, T least, T most)                                                             \
    {                                                                                              \
        return min(max(x, least), most);                                                           \
    }
#define ORDER(T) ORDER_OF(T, T, 1) VECTORS(ORDER_OF, T)
INTEGERS(ORDER)
REALS(ORDER)
#define ORDER_BY_ONE_OF(T, E, N)                                                                   \
    OVER T min(T a, E b)                                                                           \
    {                                                                                              \
        return min(a, (T)b);                                                                       \
    }                                                                                              \
    OVER T max(T a, E b)                                                                           \
    {                                                                                              \
        return max(a, (T)b);                                                                       \
    }
#define ORDER_BY_ONE(T) VECTORS(ORDER_BY_ONE_OF, T)
INTEGERS(ORDER_BY_ONE)
REALS(ORDER_BY_ONE)

/* Bits. */
OVER uint popcount(uint x)
{
    return (uint)__builtin_popcount(x);
}
OVER ulong popcount(ulong x)
{
    return (ulong)__builtin_popcountl(x);
}
OVER int popcount(int x)
{
    return __builtin_popcount((uint)x);
}
OVER uint clz(uint x)
{
    return x ? (uint)__builtin_clz(x) : 32;
}
OVER int clz(int x)
{
    return x ? __builtin_clz((uint)x) : 32;
}
OVER ulong clz(ulong x)
{
    return x ? (ulong)__builtin_clzl(x) : 64;
}
#define POPCOUNT(T, E, N)                                                                          \
    OVER T popcount(T x)                                                                           \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = popcount(x[i]);                                                                 \
        return r;                                                                                  \
    }
VECTORS(POPCOUNT, uint)

/* Arithmetic without wider types. */
#define SATURATE(T, E, N)                                                                          \
    OVER T add_sat(T a, T b)                                                                       \
    {                                                                                              \
        return a + b < a ? (T)-1 : a + b;                                                          \
    }
SATURATE(uint, uint, 1)
SATURATE(ulong, ulong, 1)
#define SATURATE_OF(T, E, N)                                                                       \
    OVER T add_sat(T a, T b)                                                                       \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = add_sat(a[i], b[i]);                                                            \
        return r;                                                                                  \
    }
VECTORS(SATURATE_OF, uint)
VECTORS(SATURATE_OF, ulong)
OVER uint abs(int x)
{
    return x < 0 ? 0u - (uint)x : (uint)x;
}
OVER ulong abs(long x)
{
    return x < 0 ? 0ul - (ulong)x : (ulong)x;
}
OVER uint abs_diff(uint a, uint b)
{
    return a < b ? b - a : a - b;
}
OVER uint abs_diff(int a, int b)
{
    return a < b ? (uint)b - (uint)a : (uint)a - (uint)b;
}
OVER ulong mul_hi(ulong a, ulong b)
{
    return (ulong)((unsigned __int128)a * b >> 64);
}
OVER uint mul_hi(uint a, uint b)
{
    return (uint)((ulong)a * b >> 32);
}

/* The exponent's bias differs by 112; the product is exact, for denormals as well. */
static float half_number(uint bits)
{
    uint rest = bits & 0x7fff;
    float number = __builtin_astype(rest << 13, float) * 0x1p112f;
    uint wide = rest < 0x7c00 ? __builtin_astype(number, uint) : 0x7f800000 | rest << 13;
    return __builtin_astype(wide | (bits & 0x8000) << 16, float);
}

#define MUL_HI(T, E, N)                                                                            \
    OVER T mul_hi(T a, T b)                                                                        \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = mul_hi(a[i], b[i]);                                                             \
        return r;                                                                                  \
    }
VECTORS(MUL_HI, uint)
VECTORS(MUL_HI, ulong)

/* Selection: a scalar is selected if the condition is not 0, a vector's element by the top bit. */
#define SELECT(T, I)                                                                               \
    OVER T select(T a, T b, I c)                                                                   \
    {                                                                                              \
        return c ? b : a;                                                                          \
    }                                                                                              \
    SELECT_OF(T##2, I##2, 2)                                                                       \
    SELECT_OF(T##3, I##3, 3)                                                                       \
    SELECT_OF(T##4, I##4, 4) SELECT_OF(T##8, I##8, 8) SELECT_OF(T##16, I##16, 16)
#define SELECT_OF(T, I, N)                                                                         \
    OVER T select(T a, T b, I c)                                                                   \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = TOP_BIT(c[i]) ? b[i] : a[i];                                                    \
        return r;                                                                                  \
    }
#define SELECT_BY(T, I, U) SELECT(T, I) SELECT(T, U)
SELECT_BY(uchar, char, uchar)
SELECT_BY(ushort, short, ushort)
SELECT_BY(int, int, uint)
SELECT_BY(uint, int, uint)
SELECT_BY(long, long, ulong)
SELECT_BY(ulong, long, ulong)
SELECT_BY(float, int, uint)
SELECT_BY(double, long, ulong)
#define ANY(T, N)                                                                                  \
    OVER int any(T x)                                                                              \
    {                                                                                              \
        int r = 0;                                                                                 \
        for (int i = 0; i < N; i++)                                                                \
            r |= TOP_BIT(x[i]);                                                                    \
        return r != 0;                                                                             \
    }                                                                                              \
    OVER int all(T x)                                                                              \
    {                                                                                              \
        int r = 1;                                                                                 \
        for (int i = 0; i < N; i++)                                                                \
            r &= TOP_BIT(x[i]);                                                                    \
        return r != 0;                                                                             \
    }
#define ANY_OF(T) ANY(T##2, 2) ANY(T##3, 3) ANY(T##4, 4) ANY(T##8, 8) ANY(T##16, 16)
ANY_OF(char)
ANY_OF(short)
ANY_OF(int)
ANY_OF(long)

/* Memory. */
#define LOAD_FROM(T, E, N, SPACE)                                                                  \
    OVER T vload##N(size_t at, const SPACE E *p)                                                   \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = p[N * at + i];                                                                  \
        return r;                                                                                  \
    }
#define STORE_TO(T, E, N, SPACE)                                                                   \
    OVER void vstore##N(T x, size_t at, SPACE E *p)                                                \
    {                                                                                              \
        for (int i = 0; i < N; i++)                                                                \
            p[N * at + i] = x[i];                                                                  \
    }
#define MEMORY_OF(T, E, N)                                                                         \
    LOAD_FROM(T, E, N, __global)                                                                   \
    LOAD_FROM(T, E, N, __local)                                                                    \
    LOAD_FROM(T, E, N, __private)                                                                  \
    LOAD_FROM(T, E, N, __constant)                                                                 \
    STORE_TO(T, E, N, __global) STORE_TO(T, E, N, __local) STORE_TO(T, E, N, __private)
#define MEMORY(T) VECTORS(MEMORY_OF, T)
INTEGERS(MEMORY)
REALS(MEMORY)

/* Loads of float16, and a store that rounds to the nearest. Conversions use integers, because the
 * compiler's own ones call a library that is not always available. */
OVER float vload_half(size_t at, const __private half *p)
{
    return half_number(((const __private ushort *)p)[at]);
}
#define LOAD_HALF(T, E, N)                                                                         \
    OVER T vload_half##N(size_t at, const __private half *p)                                       \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = vload_half(N * at + i, p);                                                      \
        return r;                                                                                  \
    }
LOAD_HALF(float2, float, 2)
LOAD_HALF(float4, float, 4)
LOAD_HALF(float8, float, 8)
LOAD_HALF(float16, float, 16)
OVER void vstore_half_rte(float x, size_t at, __private half *p)
{
    uint bits = __builtin_astype(x, uint), rest = bits & 0x7fffffff, half_bits;
    if (rest > 0x7f800000)
        half_bits = 0x7e00; /* not a number */
    else if (rest >= 0x477ff000)
        half_bits = 0x7c00;     /* infinite: 65520 and above */
    else if (rest < 0x38800000) /* below 2^-14; a sum with 0.5 rounds to multiples of 2^-24 */
        half_bits = __builtin_astype(__builtin_astype(rest, float) + 0.5f, uint) - 0x3f000000;
    else /* half a unit in the last place, less if the number is even */
        half_bits = (rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13;
    ((__private ushort *)p)[at] = (ushort)(bits >> 16 & 0x8000 | half_bits);
}

/* One work-item runs at a time; after an atomic, another one of its wave may run. */
void host_step(void);
#define ATOMIC(T, name, SPACE, expression)                                                         \
    OVER T name(volatile SPACE T *p, T x)                                                          \
    {                                                                                              \
        T old = *p;                                                                                \
        *p = expression;                                                                           \
        host_step();                                                                               \
        return old;                                                                                \
    }
#define ATOMIC_1(T, name, SPACE, expression)                                                       \
    OVER T name(volatile SPACE T *p)                                                               \
    {                                                                                              \
        T old = *p;                                                                                \
        *p = expression;                                                                           \
        host_step();                                                                               \
        return old;                                                                                \
    }
#define ATOMICS_IN(T, SPACE)                                                                       \
    ATOMIC(T, atomic_add, SPACE, old + x)                                                          \
    ATOMIC(T, atomic_sub, SPACE, old - x)                                                          \
    ATOMIC(T, atomic_min, SPACE, x < old ? x : old)                                                \
    ATOMIC(T, atomic_max, SPACE, x < old ? old : x)                                                \
    ATOMIC(T, atomic_and, SPACE, old &x)                                                           \
    ATOMIC(T, atomic_or, SPACE, old | x)                                                           \
    ATOMIC(T, atomic_xor, SPACE, old ^ x)                                                          \
    ATOMIC(T, atomic_xchg, SPACE, x)                                                               \
    ATOMIC_1(T, atomic_inc, SPACE, old + 1)                                                        \
    ATOMIC_1(T, atomic_dec, SPACE, old - 1)                                                        \
    OVER T atomic_cmpxchg(volatile SPACE T *p, T expected, T x)                                    \
    {                                                                                              \
        T old = *p;                                                                                \
        *p = old == expected ? x : old;                                                            \
        host_step();                                                                               \
        return old;                                                                                \
    }
#define ATOMICS(T) ATOMICS_IN(T, __global) ATOMICS_IN(T, __local)
ATOMICS(uint)
ATOMICS(int)

/* Fences do nothing, because all work-items of a group run in one thread. */
OVER void mem_fence(cl_mem_fence_flags flags)
{
}
OVER void read_mem_fence(cl_mem_fence_flags flags)
{
}
OVER void write_mem_fence(cl_mem_fence_flags flags)
{
}
