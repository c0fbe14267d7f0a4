// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics with a bias on the coordination number of all atoms,
//
//     V = K / 2 (cn - TARGET)^2,   force on an atom = -K (cn - TARGET) dcn/dr
//
// by velocity Verlet. Positions, velocities and derivatives stay on the device; the host reads the
// coordination number now and then to print it.
#define CL_HPP_TARGET_OPENCL_VERSION  120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
#include <mote/mote.hpp>

#include <cstdio>

constexpr int side = 4; // atoms along an edge of the lattice
constexpr int atoms = side * side * side;
constexpr int steps = 200;

// Masses are 1. The value is a double, or a pair of floats where there is no double precision.
static const char source[] = R"(
#define K 0.02f
#define TARGET 150.0f
#define DT 0.01f
#ifdef WIDE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CN(value) (float)*(const __global double *)(value)
#else
#define CN(value) ((value)[0] + (value)[1])
#endif
__kernel void kick(__global float4 *v, const __global float4 *slope, const __global float *value)
{
    float half_kick = 0.5f * DT * K * (CN(value) - TARGET);
    v[get_global_id(0)] -= half_kick * slope[get_global_id(0)];
}
__kernel void drift(__global float4 *x, const __global float4 *v)
{
    x[get_global_id(0)] += DT * v[get_global_id(0)];
}
)";

static std::vector<float> lattice()
{
    std::vector<float> positions;
    for (int i = 0; i < atoms; i++) {
        positions.push_back(0.3f * float(i % side) + 0.01f * float(i % 7));
        positions.push_back(0.3f * float(i / side % side) + 0.01f * float(i % 5));
        positions.push_back(0.3f * float(i / side / side) + 0.01f * float(i % 3));
        positions.push_back(0);
    }
    return positions;
}

static void run()
{
    mote::context ctx;
    mote::queue queue = ctx.queue(); // in order: no events are needed
    bool wide = ctx.device().has_fp64;

    auto setup = mote::init<mote_coordination_plan_args>();
    setup.function = mote::switch_parse("RATIONAL R_0=0.3 D_MAX=0.6");
    setup.n_atoms = atoms;
    setup.pbc = MOTE_PBC_ORTHORHOMBIC;
    mote::coordination plan(ctx, setup);

    const double box[9] = {1.2, 0, 0, 0, 1.2, 0, 0, 0, 1.2};
    const std::vector<float> zero(4 * atoms);
    mote::buffer<float> x(ctx, queue, lattice()), v(ctx, queue, zero), slope(ctx, queue, zero);
    mote::buffer<float> cn(ctx, 2);
    mote::error_word error(ctx);
    auto args = mote::init<mote_coordination_args>();
    args.plan = plan;
    args.box = box;
    args.positions = x, args.position_stride = 4;
    args.derivatives = slope, args.derivative_stride = 4;
    mote_view pair = cn;
    args.value = wide ? mote::view<double>(pair.mem, 1) : pair;
    args.error = error;

    cl::Context context(ctx.cl(), true);
    cl::Program program(context, source);
    program.build(wide ? "-DWIDE" : "");
    cl::Kernel kick(program, "kick"), drift(program, "drift");
    auto memory = [](mote_view view) { return cl::Buffer(view.mem, true); };
    kick.setArg(0, memory(v)), kick.setArg(1, memory(slope)), kick.setArg(2, memory(cn));
    drift.setArg(0, memory(x)), drift.setArg(1, memory(v));
    cl::CommandQueue kernels(queue.get(), true);
    auto launch = [&](const cl::Kernel &kernel) {
        kernels.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(atoms));
    };

    mote::coordination_compute(ctx, queue, args);
    args.error_keep = 1; // from here on errors of all steps gather in the word
    for (int step = 0; step <= steps; step++) {
        if (step % 40 == 0) {
            double now;
            float two[2];
            kernels.enqueueReadBuffer(memory(cn), CL_TRUE, 0, 8,
                                      wide ? static_cast<void *>(&now) : two);
            std::printf("step %3d: cn %.1f\n", step, wide ? now : double(two[0]) + two[1]);
        }
        launch(kick);
        launch(drift);
        mote::coordination_compute(ctx, queue, args);
        launch(kick);
    }
    error.check(queue);
}

int main()
try {
    run();
} catch (const std::exception &e) { // mote::error and cl::Error
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
