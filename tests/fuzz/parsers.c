/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all parsers. */
#include "fuzz.h"

fuzz_target fuzz_csv, fuzz_pdig, fuzz_npy, fuzz_arrays, fuzz_json, fuzz_cache, fuzz_device,
    fuzz_tune, fuzz_tune_file, fuzz_switch, fuzz_option, fuzz_xyz, fuzz_gro, fuzz_pdb, fuzz_lammps,
    fuzz_xtc, fuzz_trr, fuzz_dcd, fuzz_decimal, fuzz_atoms, fuzz_words, fuzz_unpack;

const fuzz_entry fuzz_table[] = {
    {"csv", fuzz_csv},
    {"pdig", fuzz_pdig},
    {"npy", fuzz_npy},
    {"arrays", fuzz_arrays},
    {"json", fuzz_json},
    {"cache", fuzz_cache},
    {"device", fuzz_device},
    {"tune", fuzz_tune},
    {"switch", fuzz_switch},
    {"option", fuzz_option},
    {"xyz", fuzz_xyz},
    {"gro", fuzz_gro},
    {"pdb", fuzz_pdb},
    {"lammps", fuzz_lammps},
    {"xtc", fuzz_xtc},
    {"trr", fuzz_trr},
    {"dcd", fuzz_dcd},
    {"decimal", fuzz_decimal},
    {"atoms", fuzz_atoms},
    {"words", fuzz_words},
    {"tune_file", fuzz_tune_file},
    {"unpack", fuzz_unpack},
    {NULL, NULL},
};
