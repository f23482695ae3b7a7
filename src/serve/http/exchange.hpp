// One request, and its answer: either one text, or a file, or a stream of pieces.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http/descriptor.hpp"

namespace waitstate::serve {

struct Request {
  std::string method;                                      ///< "GET"
  std::string path;                                        ///< as sent, without the query; it begins with '/'
  std::vector<std::pair<std::string, std::string>> query;  ///< decoded, in the order in which it was sent
  std::string body;

  /// The first value of that name; null if there is none.
  const std::string* value(std::string_view name) const;
};

struct Answer {
  unsigned status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// An answer in JSON: {"error": "one sentence"}.
Answer error_answer(unsigned status, std::string_view sentence);
Answer text_answer(std::string text, std::string type = "application/json");

/// Answered once, now or later. Where the client has gone, answers go nowhere.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual const Request& request() const = 0;
  virtual void answer(Answer answer) = 0;
  /// Sends what the file has, from its begin; `name` is what a browser saves it as, "": it is shown.
  virtual void answer_file(std::shared_ptr<Descriptor> file, std::string type, std::string name) = 0;
  /// Begins an answer of pieces: write() each, then end().
  virtual void begin_stream(std::string type) = 0;
  virtual void write(std::string piece) = 0;
  virtual void end() = 0;
  /// True once the client has gone.
  virtual bool is_gone() const = 0;
};
using ExchangePtr = std::shared_ptr<Exchange>;
using Handler = std::function<void(ExchangePtr)>;

}  // namespace waitstate::serve
