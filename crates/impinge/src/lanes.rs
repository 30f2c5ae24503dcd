//! Which instructions loops over lanes are compiled for.
//!
//! `fearless_simd` knows four levels of x86-64. Code is compiled for two of them: SSE2, which every such processor has, and the one with
//! AVX2 (x86-64-v3), which nearly all have since 2015. Lanes are eight numbers of single precision wide, so AVX-512 would gain
//! little; and each level takes as long to compile as the last. Builds for one kind of processor (`-C target-cpu=...`) have one level, and with AVX-512 where that
//! kind has it: masks are in registers of their own then, which depths gain a few per cent by. Elsewhere there is one level.

/// Does some work with the best instructions that there are: `in_lanes!(simd => work)`. All of the work must be inlined.
macro_rules! in_lanes {
    ($simd:pat => $work:expr) => {{
        let level = fearless_simd::Level::new();
        $crate::lanes::choose_level!(level, $simd => $work)
    }};
}

/// The work, compiled for the instructions of a token.
macro_rules! with_level {
    ($token:expr, $simd:pat => $work:expr) => {{
        let token = $token;
        let $simd = token;
        fearless_simd::Simd::vectorize(
            token,
            #[inline(always)]
            || $work,
        )
    }};
}

/// Two levels, decided when the program runs.
#[cfg(all(
    target_arch = "x86_64",
    not(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "cmpxchg16b",
        target_feature = "f16c",
        target_feature = "fma",
        target_feature = "fxsr",
        target_feature = "lzcnt",
        target_feature = "movbe",
        target_feature = "popcnt",
        target_feature = "xsave"
    ))
))]
macro_rules! choose_level {
    ($level:expr, $simd:pat => $work:expr) => {
        match $level.as_avx2() {
            Some(avx2) => $crate::lanes::with_level!(avx2, $simd => $work),
            None => {
                let sse2 = $level.as_sse2().expect("every x86-64 processor has SSE2");
                $crate::lanes::with_level!(sse2, $simd => $work)
            }
        }
    };
}

/// One level, known when the program is compiled: the one with AVX2. (Conditions cannot be given a name, so lists of what a level needs stand here again.)
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "cmpxchg16b",
    target_feature = "f16c",
    target_feature = "fma",
    target_feature = "fxsr",
    target_feature = "lzcnt",
    target_feature = "movbe",
    target_feature = "popcnt",
    target_feature = "xsave",
    not(all(
        target_feature = "adx",
        target_feature = "aes",
        target_feature = "avx512bitalg",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512dq",
        target_feature = "avx512f",
        target_feature = "avx512ifma",
        target_feature = "avx512vbmi",
        target_feature = "avx512vbmi2",
        target_feature = "avx512vl",
        target_feature = "avx512vnni",
        target_feature = "avx512vpopcntdq",
        target_feature = "gfni",
        target_feature = "pclmulqdq",
        target_feature = "rdrand",
        target_feature = "rdseed",
        target_feature = "sha",
        target_feature = "vaes",
        target_feature = "vpclmulqdq",
        target_feature = "xsavec",
        target_feature = "xsaveopt",
        target_feature = "xsaves"
    ))
))]
macro_rules! choose_level {
    ($level:expr, $simd:pat => $work:expr) => {{
        let avx2 = $level.as_avx2().expect("compiled for processors that have it");
        $crate::lanes::with_level!(avx2, $simd => $work)
    }};
}

/// One level, known when the program is compiled: the one with AVX-512.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "cmpxchg16b",
    target_feature = "f16c",
    target_feature = "fma",
    target_feature = "fxsr",
    target_feature = "lzcnt",
    target_feature = "movbe",
    target_feature = "popcnt",
    target_feature = "xsave",
    target_feature = "adx",
    target_feature = "aes",
    target_feature = "avx512bitalg",
    target_feature = "avx512bw",
    target_feature = "avx512cd",
    target_feature = "avx512dq",
    target_feature = "avx512f",
    target_feature = "avx512ifma",
    target_feature = "avx512vbmi",
    target_feature = "avx512vbmi2",
    target_feature = "avx512vl",
    target_feature = "avx512vnni",
    target_feature = "avx512vpopcntdq",
    target_feature = "gfni",
    target_feature = "pclmulqdq",
    target_feature = "rdrand",
    target_feature = "rdseed",
    target_feature = "sha",
    target_feature = "vaes",
    target_feature = "vpclmulqdq",
    target_feature = "xsavec",
    target_feature = "xsaveopt",
    target_feature = "xsaves"
))]
macro_rules! choose_level {
    ($level:expr, $simd:pat => $work:expr) => {{
        let avx512 = $level.as_avx512().expect("compiled for processors that have it");
        $crate::lanes::with_level!(avx512, $simd => $work)
    }};
}

#[cfg(not(target_arch = "x86_64"))]
macro_rules! choose_level {
    ($level:expr, $simd:pat => $work:expr) => {
        fearless_simd::dispatch!($level, $simd => $work)
    };
}

#[cfg(target_arch = "x86_64")]
pub(crate) use with_level;
pub(crate) use {choose_level, in_lanes};
