# SPDX-License-Identifier: Apache-2.0
"""Tests --part and mote merge: shares, one after another, are the bytes of one run, and none is lost."""
import glob
import os
import shutil
import signal
import subprocess

from coordination_oracle import SMALL
from driver import MOTE, PACKED, Case, long, main, wait_until

SLOW = os.environ.get("MOTE_PRELOADED")
WORDS = ["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID",
         "SLURM_NTASKS", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
         "SLURM_ARRAY_TASK_COUNT", "SLURM_STEP_ID"]


def without_starters(**more):
    """Returns the environment of a process that was not started as one of several."""
    return {**{key: value for key, value in os.environ.items() if key not in WORDS}, **more}


class Parts(Case):
    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def merged(self, pattern):
        return self.good("merge", *sorted(glob.glob(self.path(pattern)))).raw

    def joined(self, pattern):
        return b"".join(self.bytes(name) for name in sorted(glob.glob(self.path(pattern))))

    def atoms(self, frames, n=40):
        path = self.path("atoms.xyz")
        self.good("generate", "atoms", "-q", "-n", n, "--frames", frames, "-o", path)
        return path


class Coordination(Parts):
    def run_parts(self, n, atoms, *options):
        for k in range(1, n + 1):
            self.good("coordination", "-q", atoms, *SMALL, *options, "--part", f"{k}/{n}", "-o",
                      self.path("colvar"), "--derivatives", self.path("slopes.%p.txt"))

    def test_bytes(self):
        self.shares([(1, []), (3, ["--virial", "--begin", 2, "--end", 9, "--stride", 3])])

    @long
    def test_bytes_of_many(self):
        self.shares([(1, []), (3, []), (4, ["--virial"]), (12, ["--begin", 1]),
                     (3, ["--begin", 2, "--end", 9, "--stride", 3])])

    def shares(self, cases):
        atoms = self.atoms(11)
        for n, options in cases:
            self.good("coordination", "-q", atoms, *SMALL, *options, "-o", self.path("all"),
                      "--derivatives", self.path("every"))
            self.run_parts(n, atoms, *options)
            width = len(str(n))
            self.assertEqual(len(glob.glob(self.path(f"colvar.{'?' * width}-of-{n}"))), n)
            self.assertEqual(self.joined(f"colvar.*-of-{n}"), self.bytes("all"))
            self.assertEqual(self.merged(f"colvar.*-of-{n}*"), self.bytes("all"))
            self.assertEqual(self.merged(f"slopes.*-of-{n}.txt"), self.bytes("every"))
            for name in glob.glob(self.path("*-of-*")):
                os.remove(name)

    @long
    def test_several(self):
        """Tests several files, several numbers, and tables of several kinds."""
        first, second = self.atoms(4), self.path("more.xyz")
        self.good("generate", "atoms", "-q", "-n", 40, "--frames", 3, "--seed", 9, "-o", second)
        plumed = self.write("plumed.dat", "a: COORDINATION GROUPA=1-20 R_0=0.3\n"
                            "b: COORDINATION GROUPA=1-9 GROUPB=10-40 R_0=0.2\n"
                            "PRINT ARG=a,b FILE=both.csv\nPRINT ARG=b FILE=one STRIDE=2\n")
        words = ["coordination", "-q", first, second, "--plumed", plumed]
        self.good(*words, cwd=self.folder)
        for k in range(1, 6):
            self.good(*words, "--part", f"{k}/5", cwd=self.folder)
        self.assertEqual(self.merged("both.*-of-5.csv"), self.bytes("both.csv"))
        self.assertEqual(self.merged("one.*-of-5"), self.bytes("one"))
        self.bad(2, "is colvar of mote coordination, but", "merge", self.path("both.1-of-5.csv"),
                 self.path("one.2-of-5"))

    def test_to_stdout(self):
        atoms = self.atoms(5)
        parts = [self.good("coordination", "-q", atoms, *SMALL, "--part", f"{k}/2").out for k in (1, 2)]
        self.assertEqual("".join(parts), self.good("coordination", "-q", atoms, *SMALL).out)
        self.assertEqual(self.files(), ["atoms.xyz"])

    def test_reader_leaves(self):
        """Nobody reads stdout, but the files are complete."""
        atoms = self.atoms(6)
        self.good("coordination", "-q", atoms, *SMALL, "--derivatives", self.path("every"))
        read, write = os.pipe()
        os.close(read)
        subprocess.run([MOTE, "coordination", "-q", atoms, *map(str, SMALL), "--derivatives",
                        self.path("slopes"), "--part", "1/1"], stdout=write, check=True, timeout=120)
        os.close(write)
        self.assertEqual(self.merged("slopes.1-of-1"), self.bytes("every"))

    def test_refused(self):
        atoms = self.atoms(2)
        for part in ["0/2", "3/2", "1", "1/", "/2", "1/2/3", "a/b", "-1/2", "1/1000001", "1/0", " 1/2", ""]:
            self.bad(1, "is neither auto nor K/N", "coordination", atoms, *SMALL, "--part", part)
        self.bad(1, "reads its inputs twice", "coordination", "-", *SMALL, "--part", "1/2")
        for name in ["x.npy", "x.csv.gz", "x%p.npy"]:
            self.bad(1, "no arrays and no packed", "coordination", atoms, *SMALL, "--part", "1/2", "-o",
                     self.path(name))
        self.bad(2, "none of them from --begin", "coordination", atoms, *SMALL, "--part", "2/2",
                 "--begin", 7)
        with open(atoms, "a", encoding="utf-8") as file:
            file.write("40\n\nX 1\n")
        self.bad(2, "frame 2, atom 1", "coordination", atoms, *SMALL, "--part", "1/2", "-o",
                 self.path("out"))
        self.assertEqual(self.files(), ["atoms.xyz"])


class Auto(Parts):
    """A launcher of many processes tells each of them its number."""

    def share(self, **variables):
        frames = self.good("coordination", "-q", self.atoms_path, *SMALL, "--part", "auto",
                           env=without_starters(**variables)).out
        return [int(float(line.split()[0])) for line in frames.splitlines() if line[0] != "#"]

    def test_starters(self):
        self.atoms_path = self.atoms(12, 2)
        self.assertEqual(self.share(OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="4"), [3, 4, 5])
        self.assertEqual(self.share(PMI_RANK="0", PMI_SIZE="6"), [0, 1])
        self.assertEqual(self.share(SLURM_PROCID="2", SLURM_NTASKS="3"), [8, 9, 10, 11])
        array = {"SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_MAX": "11", "SLURM_ARRAY_TASK_COUNT": "4"}
        self.assertEqual(self.share(SLURM_ARRAY_TASK_ID="9", **array), [6, 7, 8])
        self.assertEqual(self.share(SLURM_ARRAY_TASK_ID="11", SLURM_PROCID="1", SLURM_NTASKS="3", **array),
                         [10])

    def test_two_systems(self):
        """mpirun may run inside a job of Slurm, whose variables are those of the job or of mpirun's own processes."""
        self.atoms_path = self.atoms(12, 2)
        mpi, pmi = ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"},
                    {"PMI_RANK": "2", "PMI_SIZE": "3"})
        slurm = {"SLURM_PROCID": "0", "SLURM_NTASKS": "2", "SLURM_JOB_ID": "7"}
        self.assertEqual(self.share(**mpi, **slurm), [3, 4, 5])
        self.assertEqual(self.share(**pmi, **slurm), [8, 9, 10, 11])
        self.assertEqual(self.share(**mpi, **pmi), [3, 4, 5])
        array = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2",
                 "SLURM_ARRAY_TASK_COUNT": "3"}
        self.assertEqual(self.share(**mpi, **slurm, **array), [5])

    def test_job_script(self):
        """Slurm numbers a script without srun as its first task: no other process computes the rest."""
        atoms = self.atoms(12, 2)
        slurm = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}
        array = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3",
                 "SLURM_ARRAY_TASK_COUNT": "3"}
        mpi = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"}
        for variables, share in [(slurm, "share 1 of 4,"), ({**slurm, **array}, "share 5 of 12,"),
                                 ({**slurm, "SLURM_STEP_ID": "0"}, None), ({**slurm, **mpi}, None),
                                 (array, None), ({**slurm, "SLURM_NTASKS": "1"}, None)]:
            said = self.good("coordination", atoms, *SMALL, "--part", "auto",
                             env=without_starters(**variables)).err
            self.assertEqual("no srun has started it (SLURM_STEP_ID is not set)" in said, bool(share), said)
            self.assertIn(share or "", said)
        events = self.path("e.csv")
        self.good("generate", "events", "-q", "--events", 2, "-o", events)
        self.assertIn("share 1 of 4,", self.good("clusters", events, "--part", "auto", "-o", self.path("c.csv"),
                                                 env=without_starters(**slurm)).err)

    def test_refused(self):
        array = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "8",
                 "SLURM_ARRAY_TASK_COUNT": "3"}
        for words, variables in [("give --part K/N", {}), ("not evenly spaced", array),
                                 ("give --part K/N", {"PMI_RANK": "4", "PMI_SIZE": "4"}),
                                 ("give --part K/N", {"PMI_RANK": "1"})]:
            self.bad(1, words, "coordination", "x.xyz", *SMALL, "--part", "auto",
                     env=without_starters(**variables))


class Clusters(Parts):
    def setUp(self):
        super().setUp()
        self.inputs = [self.path(name) for name in ["a.bin", "b.csv", "c.csv"]]
        for seed, (name, events) in enumerate(zip(self.inputs[:2], [5, 3])):
            self.good("generate", "events", "-q", "--topology", "32x32", "--events", events, "--seed",
                      seed + 1, "-o", name)
        self.write("c.csv", "module_id,x,y,adc\n3,1,2,5\n3,1,3,5\n")

    def shares(self, n):
        self.good("clusters", "-q", *self.inputs, "-o", self.path("all"), "--labels", self.path("every"))
        for k in range(1, n + 1):
            self.good("clusters", "-q", *self.inputs, "--part", f"{k}/{n}", "-o",
                      self.path("clusters.csv"), "--labels", self.path("labels.%p.csv"))
        self.assertEqual(self.joined(f"clusters.*-of-{n}.csv"), self.bytes("all"))
        self.assertEqual(self.merged(f"clusters.*-of-{n}.csv"), self.bytes("all"))
        self.assertEqual(self.merged(f"labels.*-of-{n}.csv*"), self.bytes("every"))

    def test_bytes(self):
        self.shares(2)

    @long
    def test_bytes_of_many(self):
        """With 12 shares, some are empty."""
        self.shares(12)

    @long
    def test_named_columns(self):
        """--columns may name a column of events whose name is unknown."""
        path = self.write("named.csv", "m,x,y,q,n\n1,1,1,5,0\n1,1,2,5,1\n1,1,3,5,2\n")
        words = ["clusters", "-q", path, "--columns", "module=m,adc=q,event=n"]
        for k in (1, 2):
            self.good(*words, "--part", f"{k}/2", "-o", self.path("out"))
        self.assertEqual(self.merged("out.*-of-2"), self.good(*words).raw)
        self.assertEqual(len(self.read("out.1-of-2").splitlines()), 3)

    @long
    def test_blank_first_line(self):
        path = self.write("blank.csv", "\n" + self.read("b.csv"))
        for k in (1, 2):
            self.good("clusters", "-q", path, "--part", f"{k}/2", "-o", self.path("out"))
        self.assertEqual(self.merged("out.*-of-2"), self.good("clusters", "-q", path).raw)

    @long
    def test_headers(self):
        """All forms of input are split: packed files, comments before the header, capitals."""
        header, *lines = self.read("b.csv").splitlines(keepends=True)
        text = "".join([header, *lines])
        forms = {"capitals.csv": header.upper() + "".join(lines), "comment.csv": "# made by X\n" + text,
                 "behind.csv": "# made by X\n# " + text, "bytes.csv": "\ufeff" + text,
                 "one.csv": "# event,1\nmodule_id,x,y,adc\n3,1,2,5\n"}
        paths = [self.write(name, form) for name, form in forms.items()]
        paths += [self.write("a.csv." + ending, pack(text.encode())) for ending, pack in PACKED.items()]
        for path in paths:
            for k in (1, 2, 3):
                self.good("clusters", "-q", path, "--part", f"{k}/3", "-o", self.path("out"))
            self.assertEqual(self.merged("out.*-of-3"), self.good("clusters", "-q", path).raw, path)

    def test_quoted(self):
        self.quoted([("tab", "\t")])

    @long
    def test_quoted_behind_anything(self):
        self.quoted([("plain", ""), ("blank", " "), ("tab", "\t"), ("return", "\r")])

    def quoted(self, cases):
        """Separators in quotes, also after padding, end no field before the event."""
        for name, padding in cases:
            lines = "".join(f'{padding}"run 1,7,b",{e},1,1,{y},5\n' for e in (3, 4, 5) for y in (1, 2, 9))
            path = self.write(name + ".csv", "none,event,module_id,x,y,adc\n" + lines)
            plain = self.good("clusters", "-q", path).raw
            self.assertEqual(self.good("clusters", "-q", path, "--part", "1/1").raw, plain, name)
            for k in (1, 2):
                self.good("clusters", "-q", path, "--part", f"{k}/2", "-o", self.path(name))
            self.assertEqual(self.merged(name + ".*-of-2"), plain, name)

    @long
    def test_mixed_events(self):
        header, *lines = self.read("b.csv").splitlines()
        mixed = self.write("mixed.csv", "\n".join([header] + sorted(lines, key=lambda line: line[::-1])) + "\n")
        self.good("clusters", "-q", mixed, "-o", self.path("all"))
        for k in (1, 2):
            self.good("clusters", "-q", mixed, "--part", f"{k}/2", "-o", self.path("out"))
        self.assertEqual(self.merged("out.*-of-2"), self.bytes("all"))
        self.bad(2, ["mixed.csv", "leave out --labels"], "clusters", mixed, "--part", "1/2", "--labels",
                 self.path("labels"))
        self.good("clusters", "-q", mixed, "--part", "1/1", "--labels", self.path("labels"))

    def test_refused(self):
        self.bad(1, "leave out --part", "clusters", *self.inputs, "--part", "1/2", "--svg", self.path("s"))
        self.bad(1, "must be a regular file", "clusters", "-", "--part", "1/2")
        self.bad(2, "cannot be read", "clusters", self.path("none.bin"), "--part", "1/2")


class Killed(Parts):
    """One of three processes is killed: the others finish, and its share can be computed again."""

    def check(self, start):
        atoms = self.atoms(9)
        words = [MOTE, "coordination", "-q", atoms, *map(str, SMALL), "-o", self.path("c"), "--part"]
        start(words)
        self.assertTrue(os.path.exists(self.path("c.1-of-3.share")))
        self.assertTrue(os.path.exists(self.path("c.3-of-3.share")))
        self.bad(2, "1 of 3 shares is missing: run --part 2/3 again", "merge",
                 *glob.glob(self.path("c.*-of-3")))
        subprocess.run([*words, "2/3"], check=True, timeout=120)
        self.assertEqual(self.merged("c.*-of-3"),
                         self.good("coordination", "-q", atoms, *SMALL).raw)

    def test_processes(self):
        """The kernels of the killed process take minutes to build, so that it does not end earlier. A sanitizer's
        runtime has to be loaded first; it also starts slowly."""
        slow = {**os.environ, "MOTE_CACHE": "off", "LD_PRELOAD": SLOW or "", "MOTE_TEST_BUILD_MS": "600000"}

        def start(words):
            runs = [subprocess.Popen([*words, f"{k}/3"], env=slow if k == 2 else None) for k in (1, 2, 3)]
            if SLOW:
                wait_until(lambda: os.path.exists(self.path("c.2-of-3.part")))
            os.kill(runs[1].pid, signal.SIGKILL)
            self.assertEqual([run.wait(120) for run in runs], [0, -signal.SIGKILL, 0])
        self.check(start)

    @long
    def test_open_mpi(self):
        if not shutil.which("mpirun"):
            self.skipTest("mpirun is not installed (Debian: openmpi-bin)")
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        mpirun = ["mpirun", *root, "--oversubscribe"]
        atoms = self.atoms(9)
        subprocess.run([*mpirun, "-n", "2", MOTE, "coordination", "-q", atoms, *map(str, SMALL), "-o",
                        self.path("two"), "--part", "auto"], check=True, timeout=300, env=without_starters())
        self.assertEqual(self.merged("two.*-of-2"), self.good("coordination", "-q", atoms, *SMALL).raw)

        def start(words):
            # Open MPI would end the other processes if it saw that one was killed, which the shell hides.
            script = ('if [ "$OMPI_COMM_WORLD_RANK" != 1 ]; then exec "$@"; fi\n'
                      '"$@" & kill -9 $!; wait $! || exit 0')
            subprocess.run([*mpirun, "-n", "3", "sh", "-c", script, "sh", *words, "auto"], check=True,
                           timeout=300, env=without_starters())
        self.check(start)


main()
