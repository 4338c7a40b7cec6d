// SPDX-License-Identifier: GPL-3.0-or-later
// Memory by the files of a system that is made up: what is available, and the limits of control groups.
#include "core/base/available_memory.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

namespace test_available_memory {
using namespace accumulus;

namespace {

constexpr std::int64_t MiB = 1 << 20;

/// A /proc and a /sys in which the test writes.
class WrittenSystem {
public:
    /// 8000 MiB, of which 6000 are available.
    WrittenSystem() {
        write("proc/meminfo", "MemTotal:        8192000 kB\nMemFree:          100000 kB\nMemAvailable:    6144000 "
                              "kB\nBuffers:             512 kB\nHugePages_Total:       0\n");
    }
    [[nodiscard]] std::filesystem::path root() const { return m_folder.path().toStdString(); }
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path file = root() / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    /// A group of version 2. `limit`: in MiB, or "max".
    void group(const std::string& name, const std::string& limit, std::int64_t used, std::int64_t cached = 0) const {
        const std::string folder = "sys/fs/cgroup" + name;
        write(folder + "/memory.max", (limit == "max" ? limit : std::to_string(std::stoll(limit) * MiB)) + '\n');
        write(folder + "/memory.current", std::to_string(used * MiB) + '\n');
        write(folder + "/memory.stat",
              "anon 1\nfile 7\ninactive_file " + std::to_string(cached * MiB) + "\nactive_file 9\n");
    }
    void group1(const std::string& name, std::int64_t limit, std::int64_t used) const {
        const std::string folder = "sys/fs/cgroup/memory" + name;
        write(folder + "/memory.limit_in_bytes", std::to_string(limit) + '\n');
        write(folder + "/memory.usage_in_bytes", std::to_string(used * MiB) + '\n');
        write(folder + "/memory.stat", "cache 7\ninactive_file 5\ntotal_inactive_file 0\n");
    }
    void isIn(const std::string& lines) const { write("proc/self/cgroup", lines); }
    [[nodiscard]] std::int64_t available() const { return availableMemory(root()); }

private:
    QTemporaryDir m_folder;
};

} // namespace

class TestAvailableMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSystemTells() {
        const WrittenSystem system;
        QCOMPARE(system.available(), 6000 * MiB);
        QCOMPARE(memoryUse(system.root()), (MemoryUse{2000 * MiB, 8000 * MiB}));
    }

    void aGroupAllowsLess() {
        const WrittenSystem system;
        system.isIn("0::/system.slice/job\n");
        system.group("/system.slice/job", "1000", 300);
        QCOMPARE(system.available(), 700 * MiB);
        QCOMPARE(memoryUse(system.root()), (MemoryUse{300 * MiB, 1000 * MiB}));
        system.group("/system.slice/job", "7000", 300); // more than there is
        QCOMPARE(system.available(), 6000 * MiB);
        system.group("/system.slice/job", "1000", 1001);
        QCOMPARE(system.available(), 0);
        system.group("/system.slice/job", "max", 300);
        QCOMPARE(system.available(), 6000 * MiB);
    }

    // Slurm limits the job, and its processes are in groups further in; systemd limits slices.
    void theLimitOfAGroupAroundItCounts() {
        const WrittenSystem system;
        system.isIn("0::/slurmstepd.scope/job_7/step_0/user/task_0\n");
        system.group("/slurmstepd.scope", "4000", 100);
        system.group("/slurmstepd.scope/job_7", "2000", 500);
        system.group("/slurmstepd.scope/job_7/step_0", "max", 200);
        system.group("/slurmstepd.scope/job_7/step_0/user/task_0", "max", 100);
        QCOMPARE(system.available(), 1500 * MiB);
        QCOMPARE(memoryUse(system.root()), (MemoryUse{500 * MiB, 2000 * MiB}));
        system.group("/slurmstepd.scope/job_7/step_0/user/task_0", "1000", 100);
        QCOMPARE(system.available(), 900 * MiB);
        system.group("/slurmstepd.scope", "4000", 3500); // others in it took the rest
        QCOMPARE(system.available(), 500 * MiB);
        system.group("/slurmstepd.scope/job_8", "10", 10); // a neighbour
        QCOMPARE(system.available(), 500 * MiB);
    }

    // The contents of files that lie in memory are given up before anything is killed.
    void cachedFilesTakeNothing() {
        const WrittenSystem system;
        system.isIn("0::/job\n");
        system.group("/job", "1000", 900, 600);
        QCOMPARE(system.available(), 700 * MiB);
    }

    // The root of a container is its group; what the host calls it is not there.
    void aContainersGroupIsTheRoot() {
        const WrittenSystem system;
        for (const char* name : {"0::/\n", "0::/docker/4f\n", "0::/../../other\n"}) {
            system.isIn(name);
            system.group("/", "1000", 100);
            QCOMPARE(system.available(), 900 * MiB);
        }
    }

    void version1() {
        constexpr std::int64_t noLimit = 9223372036854771712;
        const WrittenSystem system;
        system.isIn("7:cpu,cpuacct:/elsewhere\n5:hugetlb,memory:/slurm/job_7/step_0\n0::/\n");
        system.group1("/elsewhere", 10 * MiB, 1);
        system.group1("/slurm/job_7/step_0", noLimit, 200);
        QCOMPARE(system.available(), 6000 * MiB);
        system.group1("/slurm/job_7", 2000 * MiB, 500);
        QCOMPARE(system.available(), 1500 * MiB);
        std::filesystem::remove(system.root() / "proc/meminfo");
        QCOMPARE(system.available(), 1500 * MiB);
        system.group1("/slurm/job_7", noLimit, 500);
        QCOMPARE(system.available(), 0);
    }

    void withoutFilesNothingIsKnown() {
        const QTemporaryDir empty;
        QCOMPARE(availableMemory(empty.path().toStdString()), 0);
        QCOMPARE(memoryUse(empty.path().toStdString()), MemoryUse());
    }

    void thisSystemIsRead() {
        const MemoryUse use = memoryUse();
        QVERIFY(use.total > 0 && use.used > 0 && use.used <= use.total);
        QVERIFY(availableMemory() > 0 && availableMemory() < use.total);
    }
};

QTEST_APPLESS_MAIN(TestAvailableMemory)
} // namespace test_available_memory
#include "test_available_memory.moc"
