// SPDX-License-Identifier: Apache-2.0
/* These kernels copy between OpenMM's arrays and mote's, in the dialect of OpenMM's OpenCL
 * platform: real, real4, mixed and mixed4 are its types. A slot is the present place of an atom in
 * OpenMM's arrays, a place is its constant index in mote's arrays, which hold x, y and z of each
 * place; atoms of no group have place -1.
 *
 * Defined for adding: WIDE, the type of the number and the energy; HALVES, the number of values in
 * which it is stored; PARAMETERS, more arguments; ENERGY and SLOPE, expressions of n and these. */
#ifndef MOTE_CLIENTS_OPENMM_KERNELS_H
#define MOTE_CLIENTS_OPENMM_KERNELS_H

static const char gather_source[] = R"CLC(
/* Each slot is read once, because OpenMM moves atoms among slots to keep neighbours together. */
__kernel void mote_gather(int slots, __global const int *restrict atom_of_slot,
                          __global const int *restrict place_of_atom,
                          __global const real4 *restrict posq,
#ifdef USE_MIXED_PRECISION
                          __global const real4 *restrict correction,
#endif
                          __global mixed *restrict positions)
{
    for (int slot = get_global_id(0); slot < slots; slot += get_global_size(0)) {
        int place = place_of_atom[atom_of_slot[slot]];
        if (place < 0)
            continue;
        mixed4 position = convert_mixed4(posq[slot]);
#ifdef USE_MIXED_PRECISION
        position += convert_mixed4(correction[slot]);
#endif
        vstore3(position.xyz, place, positions);
    }
}
)CLC";

static const char add_source[] = R"CLC(
typedef WIDE wide;

inline wide square(wide x)
{
    return x * x;
}

inline wide cube(wide x)
{
    return x * x * x;
}

inline mm_ulong fixed_point(wide force)
{
    return (mm_ulong)(long)(force * (wide)0x100000000);
}

/* The additions are atomic, because OpenMM may add the forces of PME at the same time on another
 * queue. */
__kernel void mote_add(int slots, int padded_slots, int forces, int energy,
                       __global const int *restrict atom_of_slot,
                       __global const int *restrict place_of_atom,
                       __global const wide *restrict value,
                       __global const real *restrict derivatives,
                       __global mm_ulong *restrict force_buffer,
                       __global mixed *restrict energy_buffer PARAMETERS)
{
    wide n = value[0];
#if HALVES == 2
    n += value[1];
#endif
    if (energy && get_global_id(0) == 0)
        energy_buffer[0] += (mixed)(ENERGY);
    if (!forces)
        return;
    wide slope = SLOPE;
    for (int slot = get_global_id(0); slot < slots; slot += get_global_size(0)) {
        int place = place_of_atom[atom_of_slot[slot]];
        if (place < 0)
            continue;
        real3 derivative = vload3(place, derivatives);
        ATOMIC_ADD(&force_buffer[slot], fixed_point(-slope * derivative.x));
        ATOMIC_ADD(&force_buffer[slot + padded_slots], fixed_point(-slope * derivative.y));
        ATOMIC_ADD(&force_buffer[slot + 2 * padded_slots], fixed_point(-slope * derivative.z));
    }
}
)CLC";

#endif
