/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in functions that kernels use, in simple C, for a host without OpenCL: real numbers and
 * conversions. Vectors are processed element by element, so that the sanitizers see each access
 * separately. */
#include "builtins.clh"

/* Functions of real numbers, implemented by the C library. */
#define REAL_1(name, call)                                                                         \
    OVER float name(float x)                                                                       \
    {                                                                                              \
        return call##f(x);                                                                         \
    }                                                                                              \
    OVER double name(double x)                                                                     \
    {                                                                                              \
        return call(x);                                                                            \
    }                                                                                              \
    VECTORS_1(name, float)                                                                         \
    VECTORS_1(name, double)
#define VECTOR_1(name, T, E, N)                                                                    \
    OVER T name(T x)                                                                               \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = name(x[i]);                                                                     \
        return r;                                                                                  \
    }
#define VECTORS_1(name, T)                                                                         \
    VECTOR_1(name, T##2, T, 2)                                                                     \
    VECTOR_1(name, T##3, T, 3)                                                                     \
    VECTOR_1(name, T##4, T, 4) VECTOR_1(name, T##8, T, 8) VECTOR_1(name, T##16, T, 16)
OVER int ilogb(float x)
{
    return __builtin_ilogbf(x);
}
OVER int ilogb(double x)
{
    return __builtin_ilogb(x);
}
OVER float ldexp(float x, int n)
{
    return __builtin_ldexpf(x, n);
}
OVER double ldexp(double x, int n)
{
    return __builtin_ldexp(x, n);
}
REAL_1(rint, __builtin_rint)
REAL_1(sqrt, __builtin_sqrt)
REAL_1(exp, __builtin_exp)
REAL_1(log, __builtin_log)
REAL_1(cos, __builtin_cos)
REAL_1(sin, __builtin_sin)
REAL_1(fabs, __builtin_fabs)
REAL_1(floor, __builtin_floor)
REAL_1(ceil, __builtin_ceil)
REAL_1(trunc, __builtin_trunc)
REAL_1(round, __builtin_round)
REAL_1(exp2, __builtin_exp2)
REAL_1(log2, __builtin_log2)
REAL_1(log10, __builtin_log10)
REAL_1(cbrt, __builtin_cbrt)
REAL_1(tan, __builtin_tan)
REAL_1(asin, __builtin_asin)
REAL_1(acos, __builtin_acos)
REAL_1(atan, __builtin_atan)
REAL_1(sinh, __builtin_sinh)
REAL_1(cosh, __builtin_cosh)
REAL_1(tanh, __builtin_tanh)
REAL_1(erf, __builtin_erf)
REAL_1(erfc, __builtin_erfc)
REAL_1(asinh, __builtin_asinh)
REAL_1(acosh, __builtin_acosh)
REAL_1(atanh, __builtin_atanh)
REAL_1(expm1, __builtin_expm1)
REAL_1(log1p, __builtin_log1p)

/* From their definitions. */
#define DEFINED_1(name, T, expression)                                                             \
    OVER T name(T x)                                                                               \
    {                                                                                              \
        return expression;                                                                         \
    }                                                                                              \
    VECTORS_1(name, T)
#define HALF_TURNS(x)         ((x)-2 * rint((x) / 2))
#define SINE_OF_HALF_TURNS(h) (fabs(h) > 0.5f ? copysign(1 - fabs(h), (h)) : (h))
OVER float copysign(float a, float b)
{
    return __builtin_copysignf(a, b);
}
OVER double copysign(double a, double b)
{
    return __builtin_copysign(a, b);
}
DEFINED_1(sinpi, float, (float)sin(M_PI *SINE_OF_HALF_TURNS(HALF_TURNS((double)x))))
DEFINED_1(sinpi, double, sin(M_PI *SINE_OF_HALF_TURNS(HALF_TURNS(x))))
DEFINED_1(rsqrt, float, 1 / sqrt(x))
DEFINED_1(rsqrt, double, 1 / sqrt(x))
DEFINED_1(native_rsqrt, float, 1 / sqrt(x))
DEFINED_1(native_recip, float, 1 / x)
DEFINED_1(native_exp, float, exp(x))
DEFINED_1(native_log, float, log(x))
DEFINED_1(native_sqrt, float, sqrt(x))
#define ISFINITE(F, I)                                                                             \
    OVER int isfinite(F x)                                                                         \
    {                                                                                              \
        return __builtin_isfinite(x);                                                              \
    }                                                                                              \
    ISFINITE_OF(F##2, I##2, 2)                                                                     \
    ISFINITE_OF(F##4, I##4, 4) ISFINITE_OF(F##8, I##8, 8) ISFINITE_OF(F##16, I##16, 16)
#define ISFINITE_OF(F, I, N)                                                                       \
    OVER I isfinite(F x)                                                                           \
    {                                                                                              \
        I r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = -__builtin_isfinite(x[i]);                                                      \
        return r;                                                                                  \
    }
ISFINITE(float, int)
ISFINITE(double, long)

/* A function of two numbers, and of vectors element by element. */
#define BINARY(T, name, suffix)                                                                    \
    OVER T name(T a, T b)                                                                          \
    {                                                                                              \
        return __builtin_##name##suffix(a, b);                                                     \
    }
#define BINARY_OF(T, name, N)                                                                      \
    OVER T name(T a, T b)                                                                          \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = name(a[i], b[i]);                                                               \
        return r;                                                                                  \
    }
#define TEST(T, name)                                                                              \
    OVER int name(T x)                                                                             \
    {                                                                                              \
        return __builtin_##name(x);                                                                \
    }
#define FMA_OF(T, N)                                                                               \
    OVER T fma(T a, T b, T c)                                                                      \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = fma(a[i], b[i], c[i]);                                                          \
        return r;                                                                                  \
    }
#define REAL_2_OF(T, E, N)                                                                         \
    BINARY_OF(T, fmin, N)                                                                          \
    BINARY_OF(T, fmax, N) BINARY_OF(T, pow, N) BINARY_OF(T, atan2, N) FMA_OF(T, N)
#define FMA(T, suffix)                                                                             \
    OVER T fma(T a, T b, T c)                                                                      \
    {                                                                                              \
        return __builtin_fma##suffix(a, b, c);                                                     \
    }
#define REAL_2(T, suffix)                                                                          \
    BINARY(T, pow, suffix)                                                                         \
    BINARY(T, fmod, suffix)                                                                        \
    BINARY(T, hypot, suffix)                                                                       \
    BINARY(T, atan2, suffix)                                                                       \
    BINARY(T, nextafter, suffix)                                                                   \
    BINARY(T, fmin, suffix)                                                                        \
    BINARY(T, fmax, suffix)                                                                        \
    TEST(T, isnan)                                                                                 \
    TEST(T, isinf)                                                                                 \
    FMA(T, suffix)                                                                                 \
    VECTORS(REAL_2_OF, T)
REAL_2(float, f)
REAL_2(double, )
OVER float mad(float a, float b, float c)
{
    return a * b + c;
}

/* Conversions. */
#define CONVERT_OF(T, F, E, N)                                                                     \
    OVER T convert_##T(F x)                                                                        \
    {                                                                                              \
        T r;                                                                                       \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = (E)x[i];                                                                        \
        return r;                                                                                  \
    }
#define CONVERT(E, F)                                                                              \
    OVER E convert_##E(F x)                                                                        \
    {                                                                                              \
        return (E)x;                                                                               \
    }                                                                                              \
    CONVERT_OF(E##2, F##2, E, 2)                                                                   \
    CONVERT_OF(E##3, F##3, E, 3)                                                                   \
    CONVERT_OF(E##4, F##4, E, 4) CONVERT_OF(E##8, F##8, E, 8) CONVERT_OF(E##16, F##16, E, 16)
#define CONVERT_TO(E)                                                                              \
    CONVERT(E, char)                                                                               \
    CONVERT(E, uchar)                                                                              \
    CONVERT(E, short)                                                                              \
    CONVERT(E, ushort)                                                                             \
    CONVERT(E, int)                                                                                \
    CONVERT(E, uint) CONVERT(E, long) CONVERT(E, ulong) CONVERT(E, float) CONVERT(E, double)
CONVERT_TO(char)
CONVERT_TO(uchar)
CONVERT_TO(short)
CONVERT_TO(ushort)
CONVERT_TO(int)
CONVERT_TO(uint)
CONVERT_TO(long)
CONVERT_TO(ulong)
CONVERT_TO(float)
CONVERT_TO(double)
#define TO_INT(T, least, most)                                                                     \
    OVER int convert_int_rtn(T x)                                                                  \
    {                                                                                              \
        return (int)floor(x);                                                                      \
    }                                                                                              \
    OVER int convert_int_sat_rte(T x)                                                              \
    {                                                                                              \
        x = rint(x);                                                                               \
        return x >= least ? x <= most ? (int)x : INT_MAX : x < least ? INT_MIN : 0;                \
    }
TO_INT(float, -2147483648.0f, 2147483520.0f)
TO_INT(double, -2147483648.0, 2147483647.0)
#define TO_INTS(F, N)                                                                              \
    OVER int##N convert_int##N##_sat_rte(F x)                                                      \
    {                                                                                              \
        int##N r;                                                                                  \
        for (int i = 0; i < N; i++)                                                                \
            r[i] = convert_int_sat_rte(x[i]);                                                      \
        return r;                                                                                  \
    }
TO_INTS(float16, 16)
TO_INTS(double8, 8)
TO_INTS(float8, 8)
TO_INTS(double16, 16)
