/* The AVX-512 builtins that the target's table names, in portable vectors: so that code for avx512 can be run, slowly and
   with the same values, by a machine that has AVX2 only. Included before the code by `-include`. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define SW_VECTOR(name, element, lanes) typedef element name __attribute__((vector_size(lanes * sizeof(element))))
SW_VECTOR(sw_f32x4, float, 4);
SW_VECTOR(sw_f32x8, float, 8);
SW_VECTOR(sw_f32x16, float, 16);
SW_VECTOR(sw_f64x4, double, 4);
SW_VECTOR(sw_f64x8, double, 8);
SW_VECTOR(sw_i32x4, int32_t, 4);
SW_VECTOR(sw_i32x8, int32_t, 8);
SW_VECTOR(sw_i32x16, int32_t, 16);

#define SW_FMA(name, vector, lanes, function)                    \
  static inline vector name(vector a, vector b, vector c) {      \
    for (int i = 0; i < lanes; i++) c[i] = function(a[i], b[i], c[i]); \
    return c;                                                    \
  }
SW_FMA(sw_fma_ps512, sw_f32x16, 16, fmaf)
SW_FMA(sw_fma_pd512, sw_f64x8, 8, fma)
#define __builtin_ia32_vfmaddps512_mask(a, b, c, mask, round) sw_fma_ps512(a, b, c)
#define __builtin_ia32_vfmaddpd512_mask(a, b, c, mask, round) sw_fma_pd512(a, b, c)

#define SW_BITS(name, vector, lanes)                                         \
  static inline uint32_t name(vector mask) {                                 \
    uint32_t bits = 0;                                                       \
    for (int i = 0; i < lanes; i++) bits |= (uint32_t)(mask[i] < 0) << i;    \
    return bits;                                                             \
  }
SW_BITS(sw_bits4, sw_i32x4, 4)
SW_BITS(sw_bits8, sw_i32x8, 8)
SW_BITS(sw_bits16, sw_i32x16, 16)
#define __builtin_ia32_cvtd2mask128(mask) sw_bits4(mask)
#define __builtin_ia32_cvtd2mask256(mask) sw_bits8(mask)
#define __builtin_ia32_cvtd2mask512(mask) sw_bits16(mask)

/* a lane that is masked out is not touched in memory, as the machine promises */
#define SW_ACCESS(load, store, vector, element, lanes)                                  \
  static inline vector load(const void *address, vector pad, uint32_t bits) {           \
    for (int i = 0; i < lanes; i++) {                                                   \
      element x;                                                                        \
      if (!(bits >> i & 1)) continue;                                                   \
      memcpy(&x, (const char *)address + i * sizeof(element), sizeof(element));         \
      pad[i] = x;                                                                       \
    }                                                                                   \
    return pad;                                                                         \
  }                                                                                     \
  static inline void store(void *address, vector value, uint32_t bits) {                \
    for (int i = 0; i < lanes; i++) {                                                   \
      element x = value[i];                                                             \
      if (bits >> i & 1) memcpy((char *)address + i * sizeof(element), &x, sizeof(element)); \
    }                                                                                   \
  }
SW_ACCESS(sw_load_ps128, sw_store_ps128, sw_f32x4, float, 4)
SW_ACCESS(sw_load_ps256, sw_store_ps256, sw_f32x8, float, 8)
SW_ACCESS(sw_load_ps512, sw_store_ps512, sw_f32x16, float, 16)
SW_ACCESS(sw_load_pd256, sw_store_pd256, sw_f64x4, double, 4)
SW_ACCESS(sw_load_pd512, sw_store_pd512, sw_f64x8, double, 8)
SW_ACCESS(sw_load_si128, sw_store_si128, sw_i32x4, int32_t, 4)
SW_ACCESS(sw_load_si256, sw_store_si256, sw_i32x8, int32_t, 8)
SW_ACCESS(sw_load_si512, sw_store_si512, sw_i32x16, int32_t, 16)
#define __builtin_ia32_loadups128_mask(address, pad, bits) sw_load_ps128(address, pad, bits)
#define __builtin_ia32_loadups256_mask(address, pad, bits) sw_load_ps256(address, pad, bits)
#define __builtin_ia32_loadups512_mask(address, pad, bits) sw_load_ps512(address, pad, bits)
#define __builtin_ia32_loadupd256_mask(address, pad, bits) sw_load_pd256(address, pad, bits)
#define __builtin_ia32_loadupd512_mask(address, pad, bits) sw_load_pd512(address, pad, bits)
#define __builtin_ia32_loaddqusi128_mask(address, pad, bits) sw_load_si128(address, pad, bits)
#define __builtin_ia32_loaddqusi256_mask(address, pad, bits) sw_load_si256(address, pad, bits)
#define __builtin_ia32_loaddqusi512_mask(address, pad, bits) sw_load_si512(address, pad, bits)
#define __builtin_ia32_storeups128_mask(address, value, bits) sw_store_ps128(address, value, bits)
#define __builtin_ia32_storeups256_mask(address, value, bits) sw_store_ps256(address, value, bits)
#define __builtin_ia32_storeups512_mask(address, value, bits) sw_store_ps512(address, value, bits)
#define __builtin_ia32_storeupd256_mask(address, value, bits) sw_store_pd256(address, value, bits)
#define __builtin_ia32_storeupd512_mask(address, value, bits) sw_store_pd512(address, value, bits)
#define __builtin_ia32_storedqusi128_mask(address, value, bits) sw_store_si128(address, value, bits)
#define __builtin_ia32_storedqusi256_mask(address, value, bits) sw_store_si256(address, value, bits)
#define __builtin_ia32_storedqusi512_mask(address, value, bits) sw_store_si512(address, value, bits)
