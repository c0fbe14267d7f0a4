// SPDX-License-Identifier: Apache-2.0
/**
 * @file MoteCoordinationForce.h
 * @brief A bias on a coordination number or an order parameter, for OpenMM.
 *
 * The number n is the sum of a switching function s(r) over pairs of atoms: the pairs inside of the
 * first group, those of an atom of the first and one of the second group, or, paired, those of the
 * first atoms of both groups, of the second ones, and so on. A pair of an atom with itself does not
 * count; an atom that a group names twice counts twice. The energy is an expression of n.
 *
 * With a degree, n is instead a sum over Steinhardt's order parameters of the atoms of the first
 * group, or over their averages over neighbours (mote/steinhardt.h); s(r) weights the neighbours.
 *
 * Platforms: on OpenCL, no data leave the device; on Reference and CPU, plain loops compute all
 * pairs, for comparison.
 *
 * Errors are exceptions of the type OpenMM::OpenMMException with a message. Groups, switching
 * function and expression are checked when a Context is created.
 */
#ifndef MOTE_COORDINATION_FORCE_H
#define MOTE_COORDINATION_FORCE_H

#include <string>
#include <utility>
#include <vector>

#include <openmm/Context.h>
#include <openmm/Force.h>

#define MOTE_OPENMM_API __attribute__((visibility("default")))

namespace mote_openmm
{

class MOTE_OPENMM_API MoteCoordinationForce : public OpenMM::Force
{
  public:
    /** The precision of pairs and sums on OpenCL devices (mote/coordination.h). FromPlatform:
     * double if the platform's precision is double, else mixed. Order parameters are always in
     * double on devices that have it. The numbers never change, because files contain them. */
    enum Precision { FromPlatform = 0, Single = 1, Mixed = 2, Double = 3 };

    /**
     * function: a switching function in PLUMED's words, for example "RATIONAL R_0=0.3 D_MAX=0.75";
     * lengths are in nm. energy: an expression in kJ/mol of n and global parameters, for example
     * "0.5*k*(n-n0)^2".
     */
    explicit MoteCoordinationForce(const std::string &function, const std::string &energy = "n");

    const std::string &getSwitchingFunction() const
    {
        return function_;
    }
    void setSwitchingFunction(const std::string &function)
    {
        function_ = function;
    }
    const std::string &getEnergyFunction() const
    {
        return energy_;
    }
    void setEnergyFunction(const std::string &energy)
    {
        energy_ = energy;
    }

    /** Particles are given by their indices in the System. */
    const std::vector<int> &getFirstGroup() const
    {
        return first_;
    }
    void setFirstGroup(const std::vector<int> &particles)
    {
        first_ = particles;
    }
    /** The group is empty initially: the pairs inside of the first group count. */
    const std::vector<int> &getSecondGroup() const
    {
        return second_;
    }
    void setSecondGroup(const std::vector<int> &particles)
    {
        second_ = particles;
    }
    /** Whether only particles at the same place of both groups are pairs; initially false. */
    bool getPaired() const
    {
        return paired_;
    }
    void setPaired(bool paired)
    {
        paired_ = paired;
    }

    /** The degree of order parameters: 3, 4 or 6. Initially 0: n is a coordination number. Order
     * parameters need a single group that names each particle once. */
    int getDegree() const
    {
        return degree_;
    }
    void setDegree(int degree)
    {
        degree_ = degree;
    }
    /** Whether order parameters are averaged over neighbours; initially false. */
    bool getLocal() const
    {
        return local_;
    }
    void setLocal(bool local)
    {
        local_ = local;
    }
    /** What is added up over the order parameters: "mean" (initially), "sum", "less_than" or
     * "more_than". */
    const std::string &getReduction() const
    {
        return reduction_;
    }
    void setReduction(const std::string &reduction)
    {
        reduction_ = reduction;
    }
    /** The switching function of an order parameter for "less_than" and "more_than", in PLUMED's
     * words; initially empty. */
    const std::string &getThreshold() const
    {
        return threshold_;
    }
    void setThreshold(const std::string &threshold)
    {
        threshold_ = threshold;
    }

    /** Whether distances are those of nearest images; initially false. Every box of OpenMM is
     * supported, and so are distances beyond half of it. */
    bool usesPeriodicBoundaryConditions() const override
    {
        return periodic_;
    }
    void setUsesPeriodicBoundaryConditions(bool periodic)
    {
        periodic_ = periodic;
    }
    Precision getPrecision() const
    {
        return precision_;
    }
    void setPrecision(Precision precision)
    {
        precision_ = precision;
    }

    /** A parameter of the energy, whose value Context::setParameter() changes. Returns its index.
     */
    int addGlobalParameter(const std::string &parameter, double default_value);
    int getNumGlobalParameters() const
    {
        return static_cast<int>(parameters_.size());
    }
    const std::string &getGlobalParameterName(int index) const;
    double getGlobalParameterDefaultValue(int index) const;
    void setGlobalParameterDefaultValue(int index, double default_value);

    /** Returns n, of either kind, for the context's positions. The force must belong to the
     * context's System. Waits for the device. */
    double getCoordinationNumber(OpenMM::Context &context);

  protected:
    OpenMM::ForceImpl *createImpl() const override;

  private:
    std::string function_, energy_;
    std::vector<int> first_, second_;
    bool paired_ = false, periodic_ = false, local_ = false;
    int degree_ = 0;
    std::string reduction_ = "mean", threshold_;
    Precision precision_ = FromPlatform;
    std::vector<std::pair<std::string, double>> parameters_;
};

} // namespace mote_openmm

#endif
