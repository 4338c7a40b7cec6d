// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log.h"

#include "core/base/printable.h"

#include <cstdlib>
#include <mutex>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace accumulus {
namespace {

class ReceiverSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit ReceiverSink(std::function<void(LogLevel, const std::string&)> receive) : m_receive(std::move(receive)) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        const auto level = message.level >= spdlog::level::err    ? LogLevel::Error
                           : message.level >= spdlog::level::warn ? LogLevel::Warning
                           : message.level >= spdlog::level::info ? LogLevel::Info
                                                                  : LogLevel::Debug;
        m_receive(level, std::string(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}

private:
    std::function<void(LogLevel, const std::string&)> m_receive;
};

} // namespace

void setUpLog() {
    auto console = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    const char* level = std::getenv("ACCUMULUS_LOG");
    console->set_level(level ? spdlog::level::from_str(level) : spdlog::level::warn);
    auto logger = std::make_shared<spdlog::logger>("accumulus", std::move(console));
    logger->set_level(spdlog::level::debug);
    spdlog::set_default_logger(std::move(logger));
}

void addLogReceiver(std::function<void(LogLevel, const std::string&)> receive) {
    auto sink = std::make_shared<ReceiverSink>(std::move(receive));
    sink->set_level(spdlog::level::info);
    spdlog::default_logger()->sinks().push_back(std::move(sink));
}

void logInfo(const std::string& message) { spdlog::info("{}", printable(message)); }
void logWarning(const std::string& message) { spdlog::warn("{}", printable(message)); }
void logError(const std::string& message) { spdlog::error("{}", printable(message)); }

} // namespace accumulus
