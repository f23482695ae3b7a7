// Peers that are threads of one process, over a transport of the tests' own.
#include "peers/peers.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace waitstate::peers {
namespace {

/// Messages on their way between all peers.
struct Network {
  struct Sent {
    Message message;
    std::shared_ptr<bool> taken = std::make_shared<bool>(false);
  };
  std::mutex mutex;
  std::map<int, std::deque<Sent>> of_receiver;
};

class TestTransport final : public Transport {
 public:
  TestTransport(Network& network, int rank, int size) : network_(network), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int on_this_machine() const override { return size_; }
  void send(int to, std::vector<std::byte> bytes, std::function<void()> taken) override {
    const std::lock_guard lock(network_.mutex);
    Network::Sent sent{{rank_, std::move(bytes)}};
    sent_.push_back({sent.taken, std::move(taken)});
    network_.of_receiver[to].push_back(std::move(sent));
  }
  std::optional<Message> receive(int from) override {
    all_taken();
    const std::lock_guard lock(network_.mutex);
    auto& all = network_.of_receiver[rank_];
    for (auto sent = all.begin(); sent != all.end(); ++sent) {
      if (from != any && sent->message.from != from) continue;
      *sent->taken = true;
      Message message = std::move(sent->message);
      all.erase(sent);
      return message;
    }
    return std::nullopt;
  }
  bool all_taken() override {
    std::vector<std::function<void()>> done;
    {
      const std::lock_guard lock(network_.mutex);
      std::erase_if(sent_, [&](auto& sent) {
        if (!*sent.first) return false;
        if (sent.second) done.push_back(std::move(sent.second));
        return true;
      });
    }
    for (const auto& taken : done) taken();
    return sent_.empty();
  }

 private:
  Network& network_;
  const int rank_, size_;
  std::vector<std::pair<std::shared_ptr<bool>, std::function<void()>>> sent_;
};

/// Runs body(peers) as so many peers at once, and ends each with what it returns.
template <class Body>
void run(int size, Body&& body) {
  Network network;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      Peers peers(std::make_unique<TestTransport>(network, rank, size));
      const auto [code, text] = body(peers);
      peers.end(code, text);
    });
  for (std::thread& t : threads) t.join();
  for (const auto& [receiver, left] : network.of_receiver) EXPECT_TRUE(left.empty());
}

using Ending = std::pair<int, std::string>;

TEST(peers, data_comes_whole_and_in_order) {
  run(4, [](Peers& peers) -> Ending {
    std::vector<int> numbers(1'000'000, peers.rank());  // more pieces than are on their way at a time
    if (peers.rank() != 0) {
      ArchiveWriter writer = peers.writer_to(0);
      writer(numbers);
      writer.flush();
      return {};
    }
    for (int from = peers.size() - 1; from > 0; --from) {
      peers.reader_from(from)(numbers);
      EXPECT_EQ(numbers, std::vector<int>(1'000'000, from));
    }
    return {};
  });
}

TEST(peers, one_tells_all) {
  run(3, [](Peers& peers) -> Ending {
    std::string text = "from the first";
    if (peers.rank() == 0) {
      peers.tell_all([&](ArchiveWriter& writer) { writer(text); });
      return {};
    }
    text.clear();
    peers.reader_from(0)(text);
    EXPECT_EQ(text, "from the first");
    return {};
  });
}

TEST(peers, data_that_come_early_are_kept) {
  run(2, [](Peers& peers) -> Ending {
    std::string text = "early";
    if (peers.rank() == 1) {
      ArchiveWriter writer = peers.writer_to(0);
      writer(text);
      writer.flush();
      peers.send(0, Kind::progress, {});
      return {};
    }
    for (bool progressed = false; !progressed;)
      if (auto message = peers.receive()) {
        progressed = message->kind == Kind::progress;
        if (message->kind == Kind::data) peers.keep(std::move(*message));
      }
    text.clear();
    peers.reader_from(1)(text);
    EXPECT_EQ(text, "early");
    return {};
  });
}

// One peer has begun what the first one still tells to another: nothing that it sends is lost.
TEST(peers, messages_of_others_wait_while_data_are_sent) {
  run(3, [](Peers& peers) -> Ending {
    std::vector<int> numbers(4'000'000, 1);  // many more pieces than are on their way at a time
    if (peers.rank() == 2) {
      peers.send(0, Kind::call_path, {});
      return {};
    }
    if (peers.rank() == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      peers.reader_from(0)(numbers);
      return {};
    }
    ArchiveWriter writer = peers.writer_to(1);
    writer(numbers);
    writer.flush();
    std::optional<Peers::Received> question;
    while (!question) question = peers.receive();
    EXPECT_EQ(question->from, 2);
    EXPECT_EQ(question->kind, Kind::call_path);
    return {};
  });
}

TEST(peers, a_failure_ends_all_that_wait) {
  std::mutex mutex;
  std::vector<std::string> heard;
  run(4, [&](Peers& peers) -> Ending {
    if (peers.rank() == 2) return {3, "a file cannot be read"};
    try {
      std::string text;
      peers.reader_from(peers.rank() == 0 ? 2 : 0)(text);
    } catch (const PeerFailed& failure) {
      const std::lock_guard lock(mutex);
      heard.push_back(failure.what());
      EXPECT_EQ(failure.code, 3);
      return {failure.code, failure.what()};
    }
    return {};
  });
  EXPECT_EQ(heard, std::vector<std::string>(3, "a file cannot be read"));
}

TEST(peers, waits_not_for_ever_for_one_that_hears_nothing) {
  Network network;
  Peers deaf(std::make_unique<TestTransport>(network, 0, 2)), failed(std::make_unique<TestTransport>(network, 1, 2));
  EXPECT_FALSE(failed.end(3, "a file cannot be read", std::chrono::milliseconds(20)));
  EXPECT_THROW((void)deaf.receive(), PeerFailed);  // it has been told all the same
}

}  // namespace
}  // namespace waitstate::peers
