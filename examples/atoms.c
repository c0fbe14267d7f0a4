/* SPDX-License-Identifier: Apache-2.0 */
/* Molecular dynamics with a bias on the coordination number of all atoms,
 *
 *     V = K / 2 (cn - TARGET)^2,   force on an atom = -K (cn - TARGET) dcn/dr
 *
 * by velocity Verlet. Positions, velocities and derivatives stay on the device; the host reads the
 * coordination number now and then to print it. */
#include <mote/mote.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE  4 /* atoms along an edge of the lattice */
#define ATOMS (SIDE * SIDE * SIDE)
#define STEPS 200

/* Masses are 1. The value is a double, or a pair of floats where there is no double precision. */
static const char source[] =
    "#define K 0.02f\n"
    "#define TARGET 150.0f\n"
    "#define DT 0.01f\n"
    "#ifdef WIDE\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#define CN(value) (float)*(const __global double *)(value)\n"
    "#else\n"
    "#define CN(value) ((value)[0] + (value)[1])\n"
    "#endif\n"
    "__kernel void kick(__global float4 *v, const __global float4 *slope,\n"
    "                   const __global float *value)\n"
    "{\n"
    "    float half_kick = 0.5f * DT * K * (CN(value) - TARGET);\n"
    "    v[get_global_id(0)] -= half_kick * slope[get_global_id(0)];\n"
    "}\n"
    "__kernel void drift(__global float4 *x, const __global float4 *v)\n"
    "{\n"
    "    x[get_global_id(0)] += DT * v[get_global_id(0)];\n"
    "}\n";

/* Every return code of OpenCL and of mote goes through here. */
static void check(mote_status status, const char *what)
{
    if (status == MOTE_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n", what, mote_status_name(status), mote_last_error());
    exit(EXIT_FAILURE);
}

static cl_mem buffer(mote_context *ctx, const void *values, size_t bytes)
{
    cl_int code;
    cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    cl_mem mem = clCreateBuffer(mote_context_cl(ctx), flags, bytes, (void *)values, &code);
    check(code, "clCreateBuffer");
    return mem;
}

static cl_kernel kernel(cl_program program, const char *name, cl_mem a, cl_mem b)
{
    cl_int code;
    cl_kernel made = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    check(clSetKernelArg(made, 0, sizeof(a), &a), name);
    check(clSetKernelArg(made, 1, sizeof(b), &b), name);
    return made;
}

static void run(cl_command_queue queue, cl_kernel k)
{
    size_t items = ATOMS;
    check(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL), "launch");
}

int main(void)
{
    static float start[4 * ATOMS], zero[4 * ATOMS];
    for (int i = 0; i < ATOMS; i++) {
        start[4 * i] = 0.3f * (float)(i % SIDE) + 0.01f * (float)(i % 7);
        start[4 * i + 1] = 0.3f * (float)(i / SIDE % SIDE) + 0.01f * (float)(i % 5);
        start[4 * i + 2] = 0.3f * (float)(i / SIDE / SIDE) + 0.01f * (float)(i % 3);
    }
    mote_context *ctx;
    cl_command_queue queue; /* in order: no events are needed */
    check(mote_context_open(NULL, &ctx), "mote_context_open");
    check(mote_context_queue(ctx, 0, &queue), "mote_context_queue");
    int wide = mote_context_device(ctx)->has_fp64 != 0;

    mote_coordination *plan;
    mote_coordination_plan_args setup;
    mote_coordination_plan_args_init(&setup);
    check(mote_switch_parse("RATIONAL R_0=0.3 D_MAX=0.6", &setup.function), "mote_switch_parse");
    setup.n_atoms = ATOMS;
    setup.pbc = MOTE_PBC_ORTHORHOMBIC;
    check(mote_coordination_create(ctx, &setup, &plan), "mote_coordination_create");

    const double box[9] = {1.2, 0, 0, 0, 1.2, 0, 0, 0, 1.2};
    cl_mem x = buffer(ctx, start, sizeof(start)), v = buffer(ctx, zero, sizeof(zero));
    cl_mem slope = buffer(ctx, zero, sizeof(zero)), cn = buffer(ctx, zero, sizeof(double));
    cl_mem error = buffer(ctx, zero, sizeof(mote_error_word));
    mote_coordination_args args;
    mote_coordination_args_init(&args);
    args.plan = plan;
    args.box = box;
    args.positions = mote_view_make(x, 4 * ATOMS, MOTE_FLOAT32), args.position_stride = 4;
    args.derivatives = mote_view_make(slope, 4 * ATOMS, MOTE_FLOAT32), args.derivative_stride = 4;
    args.value = mote_view_make(cn, wide ? 1 : 2, wide ? MOTE_FLOAT64 : MOTE_FLOAT32);
    args.error = error;

    cl_int code;
    const char *text = source;
    cl_program program = clCreateProgramWithSource(mote_context_cl(ctx), 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 0, NULL, wide ? "-DWIDE" : "", NULL, NULL), "clBuildProgram");
    cl_kernel kick = kernel(program, "kick", v, slope), drift = kernel(program, "drift", x, v);
    check(clSetKernelArg(kick, 2, sizeof(cn), &cn), "kick");

    check(mote_coordination_compute(ctx, queue, &args, 0, NULL, NULL), "compute");
    args.error_keep = 1; /* from here on errors of all steps gather in the word */
    for (int step = 0; step <= STEPS; step++) {
        if (step % 40 == 0) {
            double now;
            float two[2];
            check(clEnqueueReadBuffer(queue, cn, CL_TRUE, 0, 8, wide ? (void *)&now : two, 0, NULL,
                                      NULL),
                  "clEnqueueReadBuffer");
            printf("step %3d: cn %.1f\n", step, wide ? now : (double)two[0] + two[1]);
        }
        run(queue, kick);
        run(queue, drift);
        check(mote_coordination_compute(ctx, queue, &args, 0, NULL, NULL), "compute");
        run(queue, kick);
    }
    check(mote_error_read(queue, error, 0, NULL, 0, NULL), "mote_error_read");

    clReleaseKernel(kick), clReleaseKernel(drift), clReleaseProgram(program);
    mote_coordination_release(plan);
    const cl_mem memory[] = {x, v, slope, cn, error};
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
        clReleaseMemObject(memory[i]);
    clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return 0;
}
