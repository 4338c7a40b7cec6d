// SPDX-License-Identifier: GPL-3.0-or-later
// One program holds all tests of a folder. Every test is still an ordinary Qt test that ends with QTEST_MAIN or one of
// its sisters: these macros enter it under the name of its file instead of writing main(). CMake includes this header
// in every test, through the precompiled header.
#pragma once

#include <QTest>
#if defined(QT_WIDGETS_LIB)
#include <QApplication>
#else
#include <QCoreApplication>
#endif

#include <string_view>

namespace accumulus::test {

struct Registration {
    Registration(std::string_view file, int (*run)(int argc, char** argv));
};

} // namespace accumulus::test

#define ACCUMULUS_TEST(TestClass, ...)                                                                                 \
    static const accumulus::test::Registration registered##TestClass(__FILE__, [](int argc, char** argv) {             \
        __VA_ARGS__                                                                                                    \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    });

#undef QTEST_APPLESS_MAIN
#undef QTEST_GUILESS_MAIN
#undef QTEST_MAIN
#define QTEST_APPLESS_MAIN(TestClass) ACCUMULUS_TEST(TestClass, )
#define QTEST_GUILESS_MAIN(TestClass) ACCUMULUS_TEST(TestClass, QCoreApplication application(argc, argv);)
#if defined(QT_WIDGETS_LIB)
#define QTEST_MAIN(TestClass)                                                                                          \
    ACCUMULUS_TEST(TestClass, QApplication application(argc, argv); application.setAttribute(Qt::AA_Use96Dpi, true);)
#else
#define QTEST_MAIN(TestClass) QTEST_GUILESS_MAIN(TestClass)
#endif
